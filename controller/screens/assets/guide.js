/** The first round, step by step: what a newcomer does next and why, and the button for it marked. */

import { el, fill, role, setText } from "./dom.js";

export function guide() {
  const box = role("guide-box");
  const words = el("p", { "data-role": "guide", "aria-live": "polite" });
  const hide = el("button", { type: "button" }, "hide the guide");
  let hidden = false;
  hide.addEventListener("click", () => {
    hidden = true;
    box.hidden = true;
    mark(null);
  });
  fill(box, el("h2", { class: "caption" }, "Your first round"), words, hide);
  return ({ bench }) => {
    const step = hidden ? null : (bench?.guide ?? null);
    box.hidden = !step;
    if (step) setText(words, step.words);
    mark(step);
  };
}

/** Mark the button, and scroll to it once. */
function mark(step) {
  for (const button of document.querySelectorAll("button[data-control], button[data-key]")) {
    const { control, key } = button.dataset;
    const guided = Boolean(step && ((control && control === step.control) || (key && key === step.key)));
    if (guided && !button.classList.contains("guided")) button.scrollIntoView({ block: "nearest" });
    button.classList.toggle("guided", guided);
  }
}
