// @ts-check
/** The past on the board: the last results, and how often each result came today. */

import { el, fill, role, setText } from "./dom.js";
import { whenPictureChanged } from "./parts.js";

/** @typedef {import("./types.js").Picture} Picture */
/** @typedef {import("./types.js").Figure} Figure */
/** @typedef {import("./documents").Past} Past */

/** Results that stand in rows, as their words are long. */
const IN_ROWS = 10;
/** Labels that stand in a row: each beside its count, below it, and on a display on its side. */
const BESIDE = 8;
const ACROSS = 19;
const UPRIGHT = 13;
const THIN = "\u2009";
const DICE = /^(\d-\d) red (\d) /;
const CARDS = /^(war: )?(.+) against (.+)$/;

/**
 * A result in a small box. Its tooltip has all of its words.
 * @param {string} label `17`, `3-4 red 1 no gain`, `K 4 10 against 7`
 * @returns {(Node | string)[]}
 */
function words(label) {
  const [, green, red] = DICE.exec(label) ?? [];
  if (red) return [green.replace("-", THIN), " ", el("u", {}, red)];
  const [, war, cards, dealer] = CARDS.exec(label) ?? [];
  if (!dealer) return [label.split(",")[0]];
  return [war ? el("small", {}, "war ") : "", cards.replaceAll(" ", THIN), el("small", {}, " v "), el("u", {}, dealer)].filter(Boolean);
}

/**
 * The last results, newest first. Each has its place from the beginning, so that nothing moves when one more comes.
 * @param {Figure} figure
 */
export function history(figure) {
  const most = figure.column ?? IN_ROWS;
  document.body.dataset.past = figure.column ? "column" : "rows";
  role("history").style.setProperty("--most", String(most));
  setText(role("past-title"), `Last ${most}`);
  return whenPictureChanged(["history"], ({ history: past }) => {
    const empty = Array.from({ length: Math.max(0, most - past.length) }, () => el("li", { class: "result-box none", "aria-hidden": "true" }));
    fill(role("history"), ...past.slice(0, most).map((one) => box(one, figure)), ...empty);
  });
}

/** @param {Past} one @param {Figure} figure */
function box(one, figure) {
  const title = `round ${one.round}: ${one.label}${one.colour ? `, ${one.colour}` : ""}`;
  const drawn = figure.line?.(one) ?? [];
  const kind = figure.kind?.(one) ?? one.colour;
  return el("li", { class: `result-box ${kind}`, title }, ...(drawn.length ? drawn : [el("span", {}, ...words(one.label))]));
}

/** How many stand in each row, if no row has more than the most. @param {number} all @param {number} most */
function evenly(all, most) {
  return Math.ceil(all / Math.max(1, Math.ceil(all / most))) || 1;
}

/** How often each result came today, as bars with numbers. */
export function counts() {
  return whenPictureChanged(["counts", "spins"], ({ counts: all, spins }) => {
    const most = Math.max(1, ...all.map((one) => one.count));
    const node = role("counts");
    node.style.setProperty("--across", String(evenly(all.length, ACROSS)));
    node.style.setProperty("--upright", String(evenly(all.length, UPRIGHT)));
    node.dataset.many = String(all.length > BESIDE);
    fill(
      node,
      ...all.map((one) => {
        const bar = el("i", { class: "bar" });
        bar.style.setProperty("--share", String(one.count / most));
        return el("li", {}, el("b", {}, one.label), " ", el("span", {}, one.count), bar);
      }),
    );
    setText(role("spins"), `Today: ${spins}`);
  });
}
