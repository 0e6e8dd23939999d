// @ts-check
/** Three dice and the rows of a layout, as Sic Bo's. */

import { die } from "./die.js";
import { el } from "./dom.js";
import { Lamps, labels, tile } from "./lamps.js";

/** @typedef {import("./types.js").Table} Table */

/** What is printed on an area, if the table's file says nothing else. @param {string} area */
function printed(area) {
  const numbers = area.match(/\d+/g) ?? [];
  if (area.startsWith("two-of-a-kind")) return `${numbers[0]}-${numbers[0]}`;
  if (area.startsWith("three-of-a-kind")) return `${numbers[0]}-${numbers[0]}-${numbers[0]}`;
  if (area === "any-three-of-a-kind") return "any triple";
  return numbers.length ? numbers.join("-") : area;
}

/** @param {Table} table @param {string} area @param {Map<string, string>} names */
function place(table, area, names) {
  const known = table.areas.find((one) => one.area === area);
  const number = /^one-of-a-kind-(\d)$/.exec(area);
  const own = known !== undefined && known.label !== area && known.label !== number?.[1];
  const face = number && !own ? die(Number(number[1])) : (own && names.get(area)) || printed(area);
  const node = tile(area, face);
  node.classList.toggle("faced", face instanceof Element);
  node.title = `${names.get(area) ?? area}${known ? `, pays ${known.pays}` : ""}`;
  return node;
}

/** @param {Table} table @returns {import("./types.js").Figure} */
export function build(table) {
  const names = labels(table);
  const rows = table.rows ?? [{ title: "", areas: table.areas.map((area) => area.area) }];
  const titles = ["two and three alike", "three alike", "total", "two dice", "each number"];
  const node = el(
    "div",
    { class: "rows" },
    ...rows.map((row, i) =>
      el(
        "ul",
        { class: "row", "aria-label": row.title || titles[i] || "wagers" },
        ...row.areas.map((area) => place(table, area, names)),
      ),
    ),
  );
  const lamps = new Lamps(node);
  return {
    node,
    badge(picture) {
      const { figure } = picture;
      if (!("total" in figure) || !figure.dice.length) return [];
      const { dice, total } = figure;
      return [
        el("span", { class: "dice" }, ...dice.map((face) => die(face))),
        typeof total === "number" && el("span", { class: "total" }, el("small", {}, "total "), total),
      ].filter((child) => child instanceof Node);
    },
    update(picture) {
      lamps.light(picture.lit);
    },
  };
}
