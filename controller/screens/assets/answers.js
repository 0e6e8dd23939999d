/** What the table answers to a page that asks for a document. */

import { logOnAgain } from "./session.js";

export async function get(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.status === 401) logOnAgain();
    return await answer.json();
  } catch {
    return { error: "no connection to the table" };
  }
}
