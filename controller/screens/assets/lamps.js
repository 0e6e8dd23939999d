/** Areas of the layout, and which of them are lit. */

import { el, plain } from "./dom.js";

const MOST_IN_A_ROW = 7;

/** A sign for a lit area, so that colour is never the only one. */
export function star() {
  return el("span", { class: "star", "aria-hidden": "true" }, "★");
}

/** An area as a tile. */
export function tile(area, label, pays = "") {
  const word = typeof label === "string" && label.length > 3;
  return el("li", { class: word ? "area word" : "area", "data-area": area }, star(), el("b", {}, label), pays && el("span", { class: "pays" }, pays));
}

/** Lights the areas under a node; those that come later are found by a new one. */
export class Lamps {
  constructor(root) {
    this.areas = new Map();
    for (const node of root.querySelectorAll("[data-area]")) {
      const area = node.getAttribute("data-area") ?? "";
      this.areas.set(area, [...(this.areas.get(area) ?? []), node]);
    }
  }

  light(lit) {
    const commanded = new Set(lit);
    for (const [area, nodes] of this.areas) {
      for (const node of nodes) node.classList.toggle("lit", commanded.has(area));
    }
  }
}

/** The label of every area. */
export function labels(table) {
  return new Map(table.areas.map((area) => [area.area, area.label === area.area ? plain(area.area) : area.label]));
}

/** Odds in few words: of several, the best. The whole of them stands in the tile's title. */
export function brief(pays) {
  const all = pays.split(/, | or /);
  return all.length < 2 ? pays : `up to ${all.reduce((best, one) => (ratio(one) > ratio(best) ? one : best))}`;
}

/** `pays`: `4 to 5` */
function ratio(pays) {
  const [gain, stake] = pays.split(" to ").map(Number);
  return gain / stake;
}

/** Tiles of all wager areas with what they pay. */
export function tiles(table) {
  const names = labels(table);
  const node = el(
    "ul",
    { class: "tiles", "aria-label": "wagers", "data-many": table.areas.length > MOST_IN_A_ROW },
    ...table.areas.map((area) => {
      const name = names.get(area.area) ?? area.area;
      const one = tile(area.area, name, brief(area.pays));
      one.title = `${name} pays ${area.pays}`;
      return one;
    }),
  );
  const rows = Math.ceil(table.areas.length / MOST_IN_A_ROW);
  node.style.setProperty("--across", String(Math.ceil(table.areas.length / rows)));
  return node;
}
