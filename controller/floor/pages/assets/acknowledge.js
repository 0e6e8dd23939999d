/** A person acknowledges an alert: a button at each one, for those who may, and a dialogue that asks for the reason. */

import { act } from "./act.js";
import { el, setText } from "./dom.js";
import { offerAcknowledging } from "./format.js";
import { session } from "./session.js";

/**
 * Prepare it, before any alert is drawn; nothing for a person who may not.
 *
 * `afterwards`: called after an alert was acknowledged
 */
export async function acknowledging(afterwards = () => undefined) {
  const { role } = await session();
  if (role !== "acknowledge" && role !== "administer") return;
  offerAcknowledging();
  const about = el("p", { class: "about" });
  const reason = el("input", { id: "reason", name: "reason", maxlength: 500, minlength: 3, required: true, autocomplete: "off" });
  const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  const cancel = el("button", { type: "button" }, "cancel");
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: "acknowledge-title" }, "Acknowledge this alert"),
    about,
    el("label", { for: "reason" }, "Reason, which stays on record with your name"),
    reason,
    wrong,
    el("p", { class: "acts" }, el("button", { class: "primary" }, "acknowledge"), " ", cancel),
  );
  const dialog = el("dialog", { class: "acknowledging", "aria-labelledby": "acknowledge-title" }, form);
  document.body.append(dialog);
  let id = 0;

  const refuse = (words) => {
    wrong.hidden = !words;
    setText(wrong, words);
  };
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-acknowledge]") : null;
    if (!button) return;
    id = Number(button.getAttribute("data-acknowledge"));
    setText(about, button.getAttribute("data-about") ?? "");
    reason.value = "";
    refuse("");
    dialog.showModal();
  });
  cancel.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { error } = await act("/alerts/acknowledge", { id, reason: reason.value });
    refuse(error ?? "");
    if (error) return;
    dialog.close();
    afterwards();
  });
}
