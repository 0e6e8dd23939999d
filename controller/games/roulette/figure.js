/** The felt of a roulette table, with the dealer's marker on the winning number. */

import { el, set, setText, svg } from "/assets/dom.js";
import { Lamps } from "/assets/lamps.js";
import { ring } from "/game/ring.js";

/** What is printed on the felt. */
const PRINTED = {
  "dozen-1": "1st 12",
  "dozen-2": "2nd 12",
  "dozen-3": "3rd 12",
  "column-1": "col 1",
  "column-2": "col 2",
  "column-3": "col 3",
};
const GAP = 0.04;
const MOST = 5.5;
/** Letters for each unit of a box's width; more of them are drawn closer. */

/** `top`: of the whole layout */
function field(box, top) {
  const [x, y] = [box.left + GAP, top - box.top + GAP];
  const [width, height] = [box.right - box.left - 2 * GAP, box.top - box.bottom - 2 * GAP];
  const words = PRINTED[box.label.replace(" ", "-")] ?? box.label;
  const tight = words.length > MOST * width ? { textLength: 0.9 * width, lengthAdjust: "spacingAndGlyphs" } : {};
  const kind = /^\d+$/.test(words) ? "number" : words.length > 4 * width ? "narrow" : "words";
  return svg(
    "g",
    { class: `box ${box.colour || "none"}`, "data-area": box.area || null },
    svg("rect", { x, y, width, height, rx: 0.07 }),
    svg("text", { x: x + width / 2, y: y + height / 2, class: kind, ...tight }, words),
    svg("text", { x: x + width / 2, y: y + 0.8 * height, class: "since" }),
    svg("text", { x: x + 0.16, y: y + 0.16, class: "star", "aria-hidden": "true" }, "★"),
  );
}

export function build(table) {
  const boxes = table.boxes ?? [];
  const top = Math.max(...boxes.map((box) => box.top));
  const left = Math.min(...boxes.map((box) => box.left));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  const height = top - Math.min(...boxes.map((box) => box.bottom));
  const title = svg("title", { id: "felt-title" }, "The layout");
  const dolly = svg("g", { class: "dolly", visibility: "hidden" }, svg("path", { d: "M-.2 .26 C-.2 .1 -.08 .06 -.08 -.06 A.15 .15 0 1 1 .08 -.06 C.08 .06 .2 .1 .2 .26 Z" }));
  const fields = boxes.map((box) => field(box, top));
  const felt = svg(
    "svg",
    { class: "felt", viewBox: `${left - 0.06} -0.06 ${width + 0.12} ${height + 0.12}`, role: "img", "aria-labelledby": "felt-title" },
    title,
    ...fields,
    dolly,
  );
  const ball = el("p", { class: "ball" });
  const lamps = new Lamps(felt);
  const wheel = ring(table);

  function mark(pocket) {
    const box = boxes.find((one) => one.label === pocket);
    fields.forEach((one, i) => one.classList.toggle("marked", boxes[i] === box));
    set(dolly, {
      visibility: box ? "visible" : "hidden",
      transform: box && `translate(${box.right - 0.23} ${top - box.bottom - 0.31}) scale(.85)`,
    });
    setText(title, box ? `The layout; the marker stands on ${pocket}` : "The layout");
  }

  /** Below each number, the spins since it last won; no number has any if the table does not show them. */
  function count(counts) {
    const since = new Map(counts.map((one) => [one.label, one.since ?? "–"]));
    fields.forEach((one, i) => setText(one.querySelector(".since"), String(since.get(boxes[i].label) ?? "")));
    felt.classList.toggle("counted", counts.length > 0);
  }

  return {
    node: el("div", { class: "roulette" }, wheel.node, el("div", { class: "cloth" }, felt, ball)),
    badge({ result, figure }) {
      const { pocket, colour } = fallen(figure);
      const number = pocket || result;
      return number ? chip(number, colour) : [];
    },
    column: 20,
    sinceDrawn: true,
    past: ({ label, colour }) => chip(label, colour),
    ring: wheel,
    /** `truth`: the rotor and the ball of a bench */
    update(picture, truth) {
      lamps.light(picture.lit);
      count(picture.counts);
      wheel.update(picture, truth);
      mark(picture.result ? fallen(picture.figure).pocket || picture.result : "");
      setText(ball, turning(picture));
    },
    turn(turn) {
      setText(ball, runs("", turn));
    },
  };
}

/** A number on its colour, which stands beside it as a word. */
function chip(number, colour) {
  return [el("span", { class: `pocket ${colour}` }, number), el("span", { class: "colour" }, colour)];
}

/** Where the ball came to rest; empty while no result stands. */
function fallen(figure) {
  const { pocket = "", colour = "" } = figure;
  return { pocket, colour };
}

function turning({ figure, revolutions }) {
  const { ball, direction } = figure;
  if (ball !== "running") return "";
  return runs(direction ?? "", revolutions);
}

/** `direction`: empty if it is not known */
function runs(direction, turned) {
  const ball = `The ball runs${direction && ` ${direction}`}`;
  if (!turned) return ball;
  return turned.made < turned.of ? `${ball}: ${turned.made} of ${turned.of} turns` : `${ball}: ${turned.made} turns made`;
}
