/** Asks the table for a document, or to do something. */

export async function act(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.status === 204) return {};
    const type = answer.headers.get("content-type") ?? "";
    return type.startsWith("application/json") ? await answer.json() : { error: (await answer.text()).trim() };
  } catch {
    return { error: "no connection to the table: nothing was done" };
  }
}

export async function get(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return await answer.json();
  } catch {
    return { error: "no connection to the table" };
  }
}
