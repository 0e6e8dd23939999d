/** The menu in which a person chooses: an entry a line, with its key; what cannot be chosen now is grey and says why. */

import { el, fill, plain, role, whenChanged } from "./dom.js";

const MANY = 6;
/** Entries that stand below one another; of more, two columns are made. */

/** The list, in the page's own place for it. */
export function choices() {
  const node = role("choices");
  const show = whenChanged((menu) => {
    node.hidden = !menu.length;
    node.dataset.many = String(menu.length > MANY);
    node.style.setProperty("--rows", String(Math.ceil(menu.length / 2)));
    fill(node, ...menu.map(line));
  });
  return ({ dealer }) => show(dealer?.menu ?? []);
}

function line({ control, words, unavailable }) {
  return el(
    "li",
    { class: unavailable ? "grey" : "", "data-choice-of": control },
    el("kbd", {}, plain(control)),
    " ",
    el("span", {}, el("span", { class: "what" }, words), unavailable && el("span", { class: "reason" }, ` ✕ ${unavailable}`)),
  );
}
