/** The rows of a layout, and three dice as the result. */

import { die } from "/assets/die.js";
import { el } from "/assets/dom.js";
import { Lamps, brief, labels, tile } from "/assets/lamps.js";

/** Areas that stand in one line. */
const MOST = 14;

/** `face`: a picture in place of an area's label */
export function rows(table, face = () => null) {
  const names = labels(table);
  const known = new Map(table.areas.map((area) => [area.area, area]));
  const place = (name) => {
    const area = known.get(name);
    const picture = area ? face(area) : null;
    const node = tile(name, picture ?? whole(names.get(name) ?? name), area ? brief(area.pays).replace(/ (?=\d+$)/, "\u00a0") : "");
    node.classList.toggle("faced", picture !== null);
    node.classList.toggle("ranged", Boolean(area?.range));
    if (area?.range) node.querySelector("b")?.append(el("small", { class: "range-of" }, area.range));
    node.title = titleOf(names.get(name) ?? name, area);
    return node;
  };
  const node = el(
    "div",
    { class: "rows" },
    ...table.rows.map((row) => line(row, row.areas.map(place))),
  );
  const lamps = new Lamps(node);
  return {
    node,
    badge(picture) {
      const { dice, total } = picture.figure;
      return dice?.length && typeof total === "number" ? faces(dice, total) : [];
    },
    column: 20,
    past({ label }) {
      const dice = label.split("-").map(Number);
      return faces(dice, sum(dice));
    },
    line({ label }) {
      return [el("span", {}, label), el("b", {}, sum(label.split("-").map(Number)))];
    },
    update(picture) {
      lamps.light(picture.lit);
    },
  };
}

function faces(dice, total) {
  return [el("span", { class: "dice" }, ...dice.map((one) => die(one))), el("span", { class: "total" }, total)];
}

function titleOf(name, area) {
  return area ? `${name}${area.range ? `, totals ${area.range}` : ""}, pays ${area.pays}` : name;
}

/** A label that breaks at its spaces alone. */
function whole(label) {
  return label.replaceAll("-", "\u2011");
}

function sum(dice) {
  return dice.reduce((total, one) => total + one, 0);
}

/** A row of the layout; one of very many areas takes two lines. */
function line(row, areas) {
  const node = el("ul", { class: areas.length > MOST ? "row folded" : "row", "aria-label": row.title ? row.title : "wagers" }, ...areas);
  node.style.setProperty("--across", String(Math.ceil(areas.length / 2)));
  return node;
}
