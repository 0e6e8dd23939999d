/** Asks the table or the floor to do something. */

import { logOnAgain, session } from "./session.js";

export async function act(address, body) {
  try {
    const { token } = await session();
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token && { "X-Page-Token": token }) },
      body: JSON.stringify(body),
    });
    if (answer.status === 401) logOnAgain();
    if (answer.status === 204) return {};
    const type = answer.headers.get("content-type") ?? "";
    return type.startsWith("application/json") ? await answer.json() : { error: (await answer.text()).trim() };
  } catch {
    return { error: "no connection to the table: nothing was done" };
  }
}
