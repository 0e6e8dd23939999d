/** A table of Casino War: the dealer's card, and every position with its cards and its wagers. */

import { el, fill, set, setText, whenChanged } from "/assets/dom.js";
import { Lamps } from "/assets/lamps.js";

const NAMES = { initial: "wager", tie: "tie", war: "war" };
/** What a position that surrendered has, as on the dealer's screen: the whole word has no room. */
const SURRENDERED = "½ back";
const NOBODY = { cards: [], wagers: [] };

/** `kind`: a class */
function card(rank, kind = "") {
  if (!rank) return el("span", { class: `card empty ${kind}`, role: "img", "aria-label": "no card" });
  return el("span", { class: `card ${kind}` }, rank);
}

/** One wager's state, in words that show only while their lamp burns. */
function wager(kind, lamps) {
  const words = lamps.map((lamp) => {
    const outcome = lamp.slice(lamp.lastIndexOf("-") + 1);
    return el("b", { class: `state ${outcome}`, "data-area": lamp }, outcome);
  });
  return el("li", { class: "wager" }, el("span", {}, NAMES[kind]), ...words);
}

function seat(lamps, position) {
  const wagers = ["initial", "tie", "war"].map((kind) => wager(kind, lamps.filter((lamp) => lamp.startsWith(`${kind}-${position}-`))));
  const cards = el("p", { class: "cards" });
  const outcome = el("p", { class: "outcome" });
  const node = el("li", { class: "seat" }, el("h3", {}, position), cards, outcome, el("ul", {}, ...wagers));
  return { position, node, cards, outcome };
}

/** The cards of a seat, the war card beside the first one. */
function hand({ cards: [first, war] }) {
  return [card(first), war && card(war, "second")];
}

/** How a position came out: of its war, once that is dealt. */
function decided({ wagers }) {
  const of = (wager) => wagers.find((one) => one.wager === wager);
  return (of("war") ?? of("initial"))?.outcome ?? "";
}

/** Positions in few letters: `1–4, 6`. */
function ranges(positions) {
  const runs = [];
  for (const one of [...positions].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === one - 1) run.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]}–${run.at(-1)}` : run[0])).join(", ");
}

/** Wagers of one kind that are paid alike in one line: after a war two of each position may win. */
function fold(wins) {
  const lines = new Map();
  for (const win of wins) {
    const [kind, position] = win.area.split("-");
    const line = lines.get(kind + win.pays) ?? { win, positions: [] };
    line.positions.push(Number(position));
    lines.set(kind + win.pays, line);
  }
  return [...lines.values()].map(({ win, positions }) => ({ ...win, label: `${win.area.split("-")[0]} ${ranges(positions)}` }));
}

export function build(table) {
  const positions = [...new Set(table.lamps.map((lamp) => Number(/^initial-(\d+)-/.exec(lamp)?.[1] ?? 0)))].filter(Boolean);
  const seats = positions.map((position) => seat(table.lamps, position));
  const dealer = el("p", { class: "cards" });
  const deck = el("p", { class: "deck" });
  const pays = ["initial", "tie", "war"].map((kind) => {
    const area = table.areas.find((one) => one.area.startsWith(`${kind}-`));
    return area && el("li", {}, `${NAMES[kind]} `, el("b", {}, area.pays));
  });
  const node = el(
    "div",
    { class: "card-table" },
    el("div", { class: "house" }, el("h3", {}, "Dealer"), dealer, deck, el("ul", { class: "pays", "aria-label": "what the wagers pay" }, ...pays)),
    el("ol", { class: "seats", "aria-label": "positions" }, ...seats.map(({ node: one }) => one)),
  );
  const lamps = new Lamps(node);

  const show = whenChanged((now) => {
    const at = new Map((now.seats ?? []).map((one) => [one.seat, one]));
    fill(dealer, ...hand(at.get("dealer") ?? NOBODY));
    setText(deck, now.deck ? `${now.deck.used} of ${now.deck.of} cards dealt` : "");
    for (const { position, node: place, cards, outcome } of seats) {
      const one = at.get(String(position));
      place.classList.toggle("played", one !== undefined);
      fill(cards, ...hand(one ?? NOBODY));
      const found = decided(one ?? NOBODY);
      setText(outcome, found === "surrendered" ? SURRENDERED : found);
      set(outcome, { title: found || null });
      outcome.className = `outcome ${found}`;
    }
  });

  return {
    node,
    fold,
    update(picture) {
      lamps.light(picture.lit);
      show(picture.figure);
    },
  };
}
