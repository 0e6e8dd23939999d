/** What several screens show: the table, the result, or the last one. */

import { el, fill, plain, role, setText, whenChanged } from "./dom.js";

const MOST_WINS = 8;
/** Winning areas that fit beside a result; a layout may have more. */
const DICE = /^(\d-\d) red (\d) (.+)$/;
const CARDS = /^(war: )?(.+) against (.+)$/;

/** Table and game. */
export function describe(table, screen = "") {
  const title = table.title;
  document.title = [title, table.table, screen].filter(Boolean).join(" – ");
  setText(role("title"), title);
  const name = table.table === table.game ? "" : table.table; // The title has it.
  setText(role("table"), [table.house?.name, name].filter(Boolean).join(" · "));
  if (table.house) shown(table.house);
}

/** The house's colour, and its logo where the page has a place for it. */
function shown({ name, colour, logo }) {
  if (colour) document.documentElement.style.setProperty("--brass", colour);
  const picture = document.querySelector('img[data-role="logo"]');
  if (!(picture instanceof HTMLImageElement)) return;
  picture.hidden = !logo;
  picture.alt = name;
  if (logo) picture.src = logo;
}

/** Phrases as sentences. */
export function sentences(phrases) {
  return phrases.map((one) => (/[.?]$|^\(.*\)$/.test(one) ? one : `${one}.`)).join(" ");
}

export function named(win) {
  return win.label === win.area ? plain(win.area).replace(/^straight /, "") : win.label;
}

/**
 * A result of the past in words, which the list has in English.
 *
 * `label`: `K 4 10 against 7`
 */
export function inWords(label) {
  const [, war, cards, dealer] = CARDS.exec(label) ?? [];
  if (dealer) return war ? `war: ${cards} against ${dealer}` : `${cards} against ${dealer}`;
  const [, green, red, kind] = DICE.exec(label) ?? [];
  return kind ? `${green} red ${red} ${kind}` : label;
}

function winner(win) {
  return el("li", { "data-win": win.area }, el("b", {}, named(win)), " ", el("span", {}, win.pays));
}

/** The result and what it wins; while there is none the last one, which is called that and looks otherwise. */
export function results(table, figure) {
  const lamps = new Set(table.lamps);
  return whenPictureChanged(["result", "headline", "wins", "multiplier", "figure", "history"], (picture) => {
    const present = Boolean(picture.result);
    document.body.classList.toggle("has-result", present);
    if (present) result(picture, figure);
    else last(picture, figure);
    const wins = (picture.wins.length > MOST_WINS && figure.fold?.(picture.wins)) || picture.wins;
    const shown = wins.filter((win) => wins.length <= MOST_WINS || lamps.has(win.area)).slice(0, MOST_WINS);
    const more = wins.length - shown.length;
    fill(role("wins"), ...shown.map(winner), more > 0 && el("li", { class: "more" }, `and ${more} more`));
  });
}

function result(picture, figure) {
  const badge = figure.badge?.(picture) ?? [];
  const times = picture.multiplier > 1 ? el("span", { class: "times" }, `× ${picture.multiplier}`) : null;
  setText(role("result-title"), "Result");
  large(badge, picture.result, times);
}

function last({ history: [newest] }, figure) {
  setText(role("result-title"), newest ? `Last result, round ${newest.round}` : "No result yet");
  large(newest ? (figure.past?.(newest) ?? []) : [], newest ? inWords(newest.label) : "");
}

/** `drawn`: the result, if it is more than a word */
function large(drawn, words, times = null) {
  const node = role("result");
  fill(node, ...(drawn.length ? drawn : [words && el("span", { class: "word" }, plain(words))]), times);
}

/** Shows a picture only when these of its parts differ from the last one's. */
export function whenPictureChanged(keys, show) {
  let current = null;
  const changed = whenChanged(() => current && show(current));
  return (picture) => {
    current = picture;
    changed(keys.map((key) => picture[key]));
  };
}
