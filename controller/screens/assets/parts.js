// @ts-check
/** What several screens show: the table, the result, the last results, the day's frequencies. */

import { el, fill, plain, role, setText, whenChanged } from "./dom.js";

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Picture} Picture */
/** @typedef {import("./types.js").Figure} Figure */
/** @typedef {import("./documents").Past} Past */
/** @typedef {import("./documents").AreaOdds} AreaOdds */

const MOST_WINS = 8;
/** Winning areas that fit beside a result; a layout may have more. */
const NARROW = 3;
/** Characters of a label of which twenty stand in a row, and of a result that is shown largest. */
const ONE_ROW = 16;

/** Table and game. @param {Table} table @param {string} [screen] */
export function describe(table, screen = "") {
  document.title = [table.title, table.table, screen].filter(Boolean).join(" – ");
  setText(role("title"), table.title);
  setText(role("table"), table.table);
  /** @type {HTMLElement | null} */
  const link = document.querySelector('[data-role="wheel-link"]');
  if (link) link.hidden = !table.wheel_page;
}

/** @param {AreaOdds} win */
export function named(win) {
  return win.label === win.area ? plain(win.area).replace(/^straight /, "") : win.label;
}

/** @param {AreaOdds} win */
function winner(win) {
  return el("li", { "data-win": win.area }, el("b", {}, named(win)), " ", el("span", {}, win.pays));
}

/** How much room a result needs: `40`, `joker`, `K 4 10 against 7`. @param {string} words */
function size(words) {
  if (words.length <= NARROW) return "short";
  return words.length <= 8 ? "word" : "long";
}

/** The result and what it wins. @param {Table} table @param {Figure} figure @returns {(picture: Picture) => void} */
export function results(table, figure) {
  const lamps = new Set(table.lamps);
  return whenPictureChanged(["result", "wins", "multiplier", "figure"], (picture) => {
    const badge = picture.result && figure.badge ? figure.badge(picture) : [];
    const word = badge.length ? badge : picture.result ? [el("span", { class: "word" }, plain(picture.result))] : [];
    const times = picture.multiplier > 1 ? el("span", { class: "times" }, `× ${picture.multiplier}`) : null;
    fill(role("result"), ...word, times);
    role("result").dataset.size = badge.length ? "drawn" : size(picture.result);
    document.body.classList.toggle("has-result", Boolean(picture.result));
    const shown = picture.wins.filter((win) => picture.wins.length <= MOST_WINS || lamps.has(win.area)).slice(0, MOST_WINS);
    const more = picture.wins.length - shown.length;
    fill(role("wins"), ...shown.map(winner), more > 0 && el("li", { class: "more" }, `and ${more} more`));
    role("wins").dataset.many = String(shown.length > 3);
  });
}

/**
 * Shows a picture only when these of its parts differ from the last one's.
 * @param {(keyof Picture)[]} keys @param {(picture: Picture) => void} show
 */
export function whenPictureChanged(keys, show) {
  /** @type {Picture | null} */
  let current = null;
  const changed = whenChanged(() => current && show(current));
  return (/** @type {Picture} */ picture) => {
    current = picture;
    changed(keys.map((key) => picture[key]));
  };
}

const THIN = "\u2009";
/** Characters of a deal from which on it needs a wider box. */
const SEVERAL = 18;
const DICE = /^(\d-\d) red (\d) /;
const CARDS = /^(war: )?(.+) against (.+)$/;

/**
 * A result in a small box. Its tooltip has all of its words.
 * @param {string} label `17`, `3-4 red 1 no gain`, `K 4 10 against 7`
 * @returns {(Node | string)[]}
 */
function words(label) {
  const [, green, red] = DICE.exec(label) ?? [];
  if (red) return [green.replace("-", ""), el("u", {}, red)];
  const [, war, cards, dealer] = CARDS.exec(label) ?? [];
  if (!dealer) return [label.split(",")[0]];
  return [war ? el("small", {}, "war ") : "", cards.replaceAll(" ", THIN), el("small", {}, " v "), el("u", {}, dealer)].filter(Boolean);
}

/** How wide the boxes of results are. @param {Past[]} past */
function kind(past) {
  const cards = past.filter((one) => CARDS.test(one.label)).map((one) => one.label.length);
  if (cards.length) return Math.max(...cards) > SEVERAL ? "cards many" : "cards";
  if (past.some((one) => DICE.test(one.label))) return "dice";
  return Math.max(0, ...past.map((one) => one.label.length)) > NARROW ? "wide" : "narrow";
}

/** The last twenty results, newest first. */
export function history() {
  return whenPictureChanged(["history"], ({ history: past }) => {
    const node = role("history");
    const newest = past.slice(0, 20);
    node.dataset.kind = kind(newest);
    const items = newest.map((one) =>
      el(
        "li",
        { class: `past ${one.colour ?? ""}`, title: `round ${one.round}: ${one.label}${one.colour ? `, ${one.colour}` : ""}` },
        el("span", {}, ...words(one.label)),
        one.colour && el("abbr", { title: one.colour }, one.colour[0].toUpperCase()),
      ),
    );
    fill(node, ...(items.length ? items : [el("li", { class: "none" }, "none yet")]));
  });
}

/** How often each result came today, as bars with numbers. */
export function counts() {
  return whenPictureChanged(["counts", "spins"], ({ counts: all, spins }) => {
    const most = Math.max(1, ...all.map((one) => one.count));
    const node = role("counts");
    node.style.setProperty("--across", String(all.length > ONE_ROW ? Math.ceil(all.length / 2) : Math.max(1, all.length)));
    node.dataset.many = String(all.length > ONE_ROW);
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
