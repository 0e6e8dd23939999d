/** What is keyed at the table, as a picture: of its parts those that the game has. The dealer's screen shows it. */

import { die } from "./die.js";
import { el, fill, role, set, svg } from "./dom.js";
import { whenPictureChanged } from "./parts.js";

const WAGERS = { initial: "wager", tie: "tie", war: "war" };
/** The wagers of a position, a row each. */
const OUTCOMES = { won: "won", lost: "lost", tied: "tie", war: "to war", surrendered: "½ back" };

/** The picture, in the page's own place for it. */
export function keyed() {
  const node = role("keyed");
  let boxes = [];
  const show = whenPictureChanged(["dealer"], ({ dealer }) => {
    const now = dealer?.keyed;
    node.hidden = !now;
    document.body.dataset.keyed = now?.seats.length ? "seats" : now ? "small" : "";
    set(node, { "aria-label": now ? `keyed in: ${now.words}` : null });
    fill(
      node,
      now?.dice.length > 0 && el("p", { class: "dice" }, ...now.dice.map((face, i) => die(face, now.colours[i] ?? ""))),
      now?.number && number(now.number),
      now?.number && layout(now.number, boxes),
      now?.positions > 0 && positions(now),
      now?.seats.length > 0 && seats(now.seats),
    );
  });
  return { show, describe: (table) => (boxes = table.boxes ?? []) };
}

function number({ number: keys, colour, entered }) {
  return el("p", { class: `number ${colour}${entered ? " entered" : ""}` }, el("b", {}, keys || "?"), " ", el("span", {}, colour));
}

/** The layout, with the number's box marked. */
function layout({ number: keys, entered }, boxes) {
  const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
  const [bottom, top] = [Math.min(...boxes.map((box) => box.bottom)), Math.max(...boxes.map((box) => box.top))];
  const drawn = boxes.map((box) => {
    const shape = { x: box.left + 0.05, y: top - box.top + 0.05, width: box.right - box.left - 0.1, height: box.top - box.bottom - 0.1 };
    return svg("rect", { ...shape, class: `${box.colour} ${box.label !== keys ? "" : entered ? "here entered" : "here"}` });
  });
  const view = { viewBox: `${left - 0.1} -0.1 ${right - left + 0.2} ${top - bottom + 0.2}`, "aria-hidden": "true" };
  return svg("svg", { class: "places", ...view }, ...drawn);
}

/** Who has the dice, and which position is keyed. */
function positions({ positions: most, holds, position: chosen }) {
  const kind = (one) => [one === holds && "holds", String(one) === chosen && "chosen"].filter(Boolean).join(" ");
  const all = Array.from({ length: most }, (_, i) => el("li", { class: kind(i + 1) }, i + 1));
  return el("ol", { class: "positions", "aria-label": "positions" }, ...all);
}

/** A column a seat, a row a card or wager. */
function seats(all) {
  const row = (title, cell, name = "") =>
    el("tr", { class: name }, el("th", { scope: "row" }, title), ...all.map((seat) => el("td", { class: kind(seat) }, cell(seat))));
  const wagers = Object.entries(WAGERS).map(([wager, title]) =>
    row(title, (seat) => outcome(seat.wagers.find((one) => one.wager === wager)), "wager"),
  );
  return el(
    "table",
    { class: "seats" },
    el("tr", {}, el("td", {}), ...all.map((one) => el("th", { scope: "col", class: kind(one) }, one.seat))),
    row("card", ({ cards }) => card(cards[0]), "cards"),
    row("war card", ({ cards }) => card(cards[1]), "cards"),
    ...wagers,
  );
}

function kind({ plays, due }) {
  return [plays ? "plays" : "empty", due && "due"].filter(Boolean).join(" ");
}

/** `rank`: undefined if none is dealt */
function card(rank) {
  return rank === undefined ? null : el("span", { class: rank ? "card" : "card blank" }, rank || "?");
}

function outcome(wager) {
  return wager ? el("span", { class: wager.outcome }, wager.pays || OUTCOMES[wager.outcome]) : null;
}
