/** The field of Three Dice Football: the marker, the downs, the plays, and the wagers. */

import { die } from "/assets/die.js";
import { el, set, setText, svg } from "/assets/dom.js";
import { Lamps, tiles } from "/assets/lamps.js";

const [CELL, HIGH, END] = [10, 32, 34];

/** How many yards a lamp stands from the end zone; null if it is not one of the field's. */
function yards(lamp) {
  const number = /^yard-(\d+)$/.exec(lamp);
  return number ? Number(number[1]) : lamp === "end-zone" ? 0 : null;
}

function strip(area, x, width) {
  return svg("g", { class: "strip", "data-area": area }, svg("rect", { x, y: 0, width, height: HIGH }));
}

/**
 * The field from the line farthest out to the end zone, left to right.
 *
 * `most`: yards
 */
function field(most) {
  const width = most * CELL;
  const at = (n) => (most - n) * CELL + CELL / 2;
  const zone = ["END", "ZONE"];
  const lines = [20, 15, 10, 5].filter((n) => n <= most);
  const title = svg("title", { id: "field-title" }, "The field");
  const marker = svg(
    "g",
    { class: "marker", visibility: "hidden" },
    svg("ellipse", { cx: 0, cy: HIGH / 2, rx: 8.4, ry: 5.4 }),
    svg("path", { d: `M-4 ${HIGH / 2} h8 M-2 ${HIGH / 2 - 1.7} v3.4 M0 ${HIGH / 2 - 1.7} v3.4 M2 ${HIGH / 2 - 1.7} v3.4` }),
  );
  const node = svg(
    "svg",
    { class: "field", viewBox: `-1 -1 ${width + END + 2} ${HIGH + 2}`, role: "img", "aria-labelledby": "field-title" },
    title,
    ...Array.from({ length: most }, (_, i) => strip(`yard-${most - i}`, i * CELL, CELL)),
    strip("end-zone", width, END),
    svg("text", { class: "zone", x: width + END / 2, y: 6 }, zone[0]),
    svg("text", { class: "zone", x: width + END / 2, y: HIGH - 6 }, zone[1]),
    ...lines.map((n) => svg("path", { class: n === 10 ? "line goal" : "line", d: `M${at(n)} 0 v${HIGH}` })),
    ...lines.map((n) => svg("text", { class: "yards", x: at(n), y: HIGH - 2.5 }, n)),
    marker,
  );
  return { node, title, marker, at: (n) => (n > 0 ? at(n) : width + END / 2) };
}

/** Pucks: a row of lamps with a word before it. */
function pucks(words, lamps, last) {
  const puck = (lamp, label) => el("li", { class: "puck", "data-area": lamp }, label);
  const items = lamps.map((lamp, i) => puck(lamp, String(i + 1)));
  return el("div", { class: "pucks" }, el("span", {}, words), el("ol", { "aria-label": words }, ...items, last && puck(last, "XP")));
}

export function build(table) {
  const most = Math.max(20, ...table.lamps.map((lamp) => yards(lamp) ?? 0));
  const { node: pitch, title, marker, at } = field(most);
  const of = (start) => table.lamps.filter((lamp) => lamp.startsWith(start));
  const rows = el(
    "div",
    { class: "drive" },
    pucks("Down", of("down-")),
    pucks("& goal", of("goal-")),
    pucks("Play", of("play-"), table.lamps.includes("extra-point-roll") ? "extra-point-roll" : undefined),
  );
  const areas = tiles(table);
  const node = el("div", { class: "football" }, pitch, rows);
  const [pucksAndField, wagers] = [new Lamps(node), new Lamps(areas)];
  return {
    node,
    tiles: areas,
    badge(picture) {
      const faces = picture.figure.dice;
      return faces?.length ? [thrown(faces), el("span", { class: "outcome" }, picture.headline.replace(/^\S+ RED \d /, ""))] : [];
    },
    column: 8,
    past({ label }) {
      const [, green, other, red, words] = /^(\d)-(\d) red (\d) (.*)$/.exec(label) ?? [];
      return red ? [thrown([green, other, red].map(Number)), el("span", { class: "outcome" }, words)] : [];
    },
    update(picture) {
      pucksAndField.light(picture.lit);
      wagers.light(picture.lit);
      const lit = picture.lit.map(yards).find((n) => n !== null) ?? picture.figure.to_goal;
      const known = lit !== undefined;
      set(marker, { visibility: known ? "visible" : "hidden", transform: known && `translate(${at(lit)} 0)` });
      setText(title, known ? marks(lit) : "The field");
    },
  };
}

/** `yards`: from the end zone */
function marks(yards) {
  if (yards <= 0) return "The field; the marker is in the end zone";
  return `The field; the marker is ${yards} ${yards === 1 ? "yard" : "yards"} from the end zone`;
}

/** Two green dice and the red one. */
function thrown(faces) {
  return el("span", { class: "dice" }, ...faces.map((face, i) => die(face, i === 2 ? "red" : "green")));
}
