// @ts-check
/** A table of Casino War: the dealer's card, and every position with its cards and its wagers. */

import { el, fill, setText, whenChanged } from "/assets/dom.js";
import { marked, odds, tr, trIn, word } from "/assets/language.js";
import { Lamps } from "/assets/lamps.js";

/** @typedef {import("/assets/types.js").Table} Table */
/** @typedef {import("/assets/documents").GameFigure} GameFigure */
/** @typedef {import("/assets/documents").AreaOdds} AreaOdds */

/** @type {Record<string, string>} */
const RANKS = { jack: "J", queen: "Q", king: "K", ace: "A" };
/** @type {Record<string, string>} */
const KINDS = { initial: marked("wager"), tie: marked("tie"), war: marked("war") };
/** The same at a position, where there is little room. @type {Record<string, string>} */
const SHORT = { initial: trIn("at a position", "wager"), tie: trIn("at a position", "tie"), war: trIn("at a position", "war") };
/** @type {import("/assets/documents").WarFigure} */
const NOTHING = { positions: [], dealer: "", dealer_war: "", deck: null };

/** Letters of a wager and its state that have room at a position; more are smaller. */
const ROOM = 9;

/** @param {string} rank @param {string} [kind] a class */
function card(rank, kind = "") {
  if (!rank) return el("span", { class: `card empty ${kind}`, role: "img", "aria-label": tr("no card") });
  return el("span", { class: `card ${kind}` }, RANKS[rank] ?? rank);
}

/** One wager's state, in words that show only while their lamp burns. @param {string} kind @param {string[]} lamps */
function wager(kind, lamps) {
  const words = lamps.map((lamp) => {
    const outcome = lamp.slice(lamp.lastIndexOf("-") + 1);
    return el("b", { class: `state ${outcome}`, "data-area": lamp }, word(outcome));
  });
  const name = SHORT[kind] ?? kind;
  const node = el("li", { class: "wager" }, el("span", {}, name), ...words);
  const longest = Math.max(...words.map((one) => (one.textContent ?? "").length));
  const letters = name.length + longest;
  if (letters > ROOM) node.style.setProperty("--fit", String((0.9 * ROOM) / letters));
  return node;
}

/** @param {string[]} lamps @param {number} position */
function seat(lamps, position) {
  const wagers = ["initial", "tie", "war"].map((kind) => wager(kind, lamps.filter((lamp) => lamp.startsWith(`${kind}-${position}-`))));
  const cards = el("p", { class: "cards" });
  const outcome = el("p", { class: "outcome" });
  const node = el("li", { class: "seat" }, el("h3", {}, position), cards, outcome, el("ul", {}, ...wagers));
  return { position, node, cards, outcome };
}

/** Numbers in order, neighbours together: `1–3, 5`. @param {number[]} numbers */
function ranges(numbers) {
  /** @type {[number, number][]} */
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(", ");
}

/** Many wagers that win, those of one kind that pay alike as one. @param {AreaOdds[]} wins */
function together(wins) {
  /** @type {Map<string, {kind: string, pays: string, positions: number[]}>} */
  const found = new Map();
  for (const { area, pays } of wins) {
    const [kind, position] = area.split("-");
    const one = found.get(`${kind} ${pays}`) ?? { kind, pays, positions: [] };
    found.set(`${kind} ${pays}`, { ...one, positions: [...one.positions, Number(position)] });
  }
  return [...found.values()].map(({ kind, pays, positions }) => {
    const numbers = ranges(positions.sort((one, other) => one - other));
    return { area: `${kind} ${numbers}`, label: `${word(KINDS[kind])} ${numbers}`, pays };
  });
}

/** @param {Table} table @returns {import("/assets/types.js").Figure} */
export function build(table) {
  const positions = [...new Set(table.lamps.map((lamp) => Number(/^initial-(\d+)-/.exec(lamp)?.[1] ?? 0)))].filter(Boolean);
  const seats = positions.map((position) => seat(table.lamps, position));
  const dealer = el("p", { class: "cards" });
  const deck = el("p", { class: "deck" });
  const pays = ["initial", "tie", "war"].map((kind) => {
    const area = table.areas.find((one) => one.area.startsWith(`${kind}-`));
    return area && el("li", {}, `${word(KINDS[kind])} `, el("b", {}, odds(area.pays)));
  });
  const node = el(
    "div",
    { class: "war" },
    el("div", { class: "house" }, el("h3", {}, tr("Dealer")), dealer, deck, el("ul", { class: "pays", "aria-label": tr("what the wagers pay") }, ...pays)),
    el("ol", { class: "seats", "aria-label": tr("positions") }, ...seats.map(({ node: one }) => one)),
  );
  const lamps = new Lamps(node);

  const show = whenChanged((/** @type {GameFigure} */ now) => {
    const figure = { ...NOTHING, .../** @type {Partial<import("/assets/documents").WarFigure>} */ (now) };
    const at = new Map(figure.positions.map((one) => [one.position, one]));
    fill(dealer, card(figure.dealer), figure.dealer_war && card(figure.dealer_war, "second"));
    setText(deck, figure.deck ? tr("{used} of {of} cards dealt", { ...figure.deck }) : "");
    for (const { position, node: place, cards, outcome } of seats) {
      const one = at.get(position);
      place.classList.toggle("played", one !== undefined);
      fill(cards, card(one?.card ?? ""), one?.war_card && card(one.war_card, "second"));
      setText(outcome, word(one?.outcome ?? ""));
      outcome.className = `outcome ${one?.outcome ?? ""}`;
    }
  });

  return {
    node,
    wins: together,
    update(picture) {
      lamps.light(picture.lit);
      show(picture.figure);
    },
  };
}
