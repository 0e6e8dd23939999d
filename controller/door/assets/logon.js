/** The log-on: with a local account, at a provider, or either. */

import { field, formOf, role, setText } from "./dom.js";

const form = formOf("local");

/** Where to go afterwards: a page of this site, and of no other. */
function next() {
  const given = new URLSearchParams(location.search).get("next") ?? "/";
  try {
    const address = new URL(given, location.origin);
    return address.origin === location.origin ? address.pathname : "/";
  } catch {
    return "/";
  }
}

/** `words`: nothing hides it */
function refuse(words) {
  role("wrong").hidden = !words;
  setText(role("wrong"), words);
}

async function ways() {
  try {
    const answer = await fetch("/logon.json", { cache: "no-store" });
    const { title, local, provider, insecure } = await answer.json();
    document.title = `Log on to ${title}`;
    setText(role("title"), `Log on to ${title}`);
    refuse(insecure);
    form.hidden = !local || Boolean(insecure);
    role("provider").hidden = !provider || Boolean(insecure);
    role("or").hidden = form.hidden || role("provider").hidden;
    if (!form.hidden) field(form, "name", HTMLInputElement).focus();
  } catch {
    refuse("no connection; trying again");
    setTimeout(ways, 2000);
  }
}

async function logOn() {
  const [name, password, code] = ["name", "password", "code"].map((one) => field(form, one, HTMLInputElement));
  const body = JSON.stringify({ name: name.value, password: password.value, code: code.value });
  try {
    const answer = await fetch("/logon", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (answer.ok) {
      location.assign(next());
      return;
    }
    refuse((await answer.json()).error);
  } catch {
    refuse("no connection: you are not logged on");
  }
  code.value = "";
  code.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = role("log-on");
  if (!(button instanceof HTMLButtonElement) || button.disabled) return;
  button.disabled = true;
  await logOn();
  button.disabled = false;
});
ways();
