/** Who has logged on: shown on the page, sent along with what is done, and requested to log on again when it has ended. */

import { el } from "./dom.js";

const NOBODY = { person: "", role: "", token: "" };
let requested = null;

/** The session of this page; requested once. */
export function session() {
  requested ??= ask();
  return requested;
}

async function ask() {
  try {
    const answer = await fetch("/session.json", { cache: "no-store" });
    return answer.ok ? await answer.json() : NOBODY;
  } catch {
    requested = null; // The next one asks again.
    return NOBODY;
  }
}

/** Go to the log-on, and come back to this page from there. */
export function logOnAgain() {
  location.assign(`/logon?next=${encodeURIComponent(location.pathname)}`);
}

/** Show who has logged on, with a button to log off; nothing where nobody does. */
export async function showSession() {
  const { person, role, token } = await session();
  const top = document.querySelector(".top");
  if (!person || !top) return;
  const button = el("button", { type: "button", "data-role": "log-off" }, "log off");
  button.addEventListener("click", async () => {
    await fetch("/logoff", { method: "POST", headers: { "Content-Type": "application/json", "X-Page-Token": token }, body: "{}" });
    location.assign("/logon");
  });
  top.append(el("p", { class: "session", "data-role": "session" }, el("span", {}, person, " ", el("small", {}, `may ${role}`)), " ", button));
}
