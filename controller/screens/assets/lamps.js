// @ts-check
/** Areas of the layout, and which of them are lit. */

import { el, plain } from "./dom.js";

/** @typedef {import("./types.js").Table} Table */

/**
 * A sign for a lit area, so that colour is never the only one.
 * @returns {HTMLElement}
 */
export function star() {
  return el("span", { class: "star", "aria-hidden": "true" }, "★");
}

/**
 * An area as a tile.
 * @param {string} area
 * @param {Node | string} label
 * @param {string} [pays]
 */
export function tile(area, label, pays = "") {
  return el("li", { class: "area", "data-area": area }, star(), el("b", {}, label), pays && el("span", { class: "pays" }, pays));
}

/** Lights the areas under a node; those that come later are found by a new one. */
export class Lamps {
  /** @param {Element} root */
  constructor(root) {
    /** @type {Map<string, Element[]>} */
    this.areas = new Map();
    for (const node of root.querySelectorAll("[data-area]")) {
      const area = node.getAttribute("data-area") ?? "";
      this.areas.set(area, [...(this.areas.get(area) ?? []), node]);
    }
  }

  /** @param {string[]} lit */
  light(lit) {
    const wanted = new Set(lit);
    for (const [area, nodes] of this.areas) {
      for (const node of nodes) node.classList.toggle("lit", wanted.has(area));
    }
  }
}

/** The label of every area. @param {Table} table @returns {Map<string, string>} */
export function labels(table) {
  return new Map(table.areas.map((area) => [area.area, area.label === area.area ? plain(area.area) : area.label]));
}

/** Tiles of all wager areas with what they pay. @param {Table} table */
export function tiles(table) {
  const names = labels(table);
  return el(
    "ul",
    { class: "tiles", "aria-label": "wagers", "data-many": table.areas.length > 9 },
    ...table.areas.map((area) => tile(area.area, names.get(area.area) ?? area.area, area.pays)),
  );
}
