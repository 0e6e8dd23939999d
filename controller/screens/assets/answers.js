/** What the table answers to a page that asks for a document. */

export async function get(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return await answer.json();
  } catch {
    return { error: "no connection to the table" };
  }
}
