/** The dealer's controls on a touch screen, where the table's file allows it: a code, then a button for each control. */

import { act } from "./act.js";
import { el, fill, plain, role, setText } from "./dom.js";

const TOKEN = "touch-token";
const HERE = ["localhost", "127.0.0.1", "[::1]"];

export function touch(table) {
  const place = role("touch");
  place.hidden = !table.touch.length;
  if (place.hidden) return;
  if (sessionStorage.getItem(TOKEN)) keys(place, table.touch);
  else ask(place, table.touch);
}

/** Ask for the code, and show it where this is the table's own screen. */
async function ask(place, controls) {
  const status = el("p", { class: "said", role: "status" });
  const code = el("input", { id: "code", inputmode: "numeric", autocomplete: "off", maxlength: 8, size: 9 });
  const form = el("form", {}, el("label", { for: "code" }, "Code of the table's own screen "), code, " ", el("button", {}, "Use this screen"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { error, token } = await act("/dealer/pair", { code: code.value.trim() });
    if (!token) setText(status, error ?? "");
    else {
      sessionStorage.setItem(TOKEN, token);
      keys(place, controls);
    }
  });
  fill(place, form, status);
  if (!HERE.includes(location.hostname)) return;
  const answer = await fetch("/dealer/code", { cache: "no-store" });
  if (!answer.ok) return;
  const { code: shown } = await answer.json();
  if (shown) place.prepend(el("p", { class: "code" }, "Code for the touch screen: ", el("b", {}, shown)));
}

function keys(place, controls) {
  const status = el("p", { class: "said", role: "status" });
  const buttons = controls.map((control) => {
    const button = el("button", { type: "button", "data-control": control }, plain(control));
    button.addEventListener("click", async () => {
      const { error } = await act("/dealer/press", { press: control, token: sessionStorage.getItem(TOKEN) });
      setText(status, error ?? "");
      if (error?.includes("may not act")) {
        sessionStorage.removeItem(TOKEN);
        ask(place, controls);
      }
    });
    return button;
  });
  fill(place, el("div", { class: "keys" }, ...buttons), status);
}
