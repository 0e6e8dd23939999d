// @ts-check
/** Figures of all rounds by table, wheel, game or dealer. */

import { el, fill, formOf, role, setText } from "./dom.js";
import { EXPLAINED, columns, whose } from "./statistics-columns.js";
import { FORMATS, files } from "./exports.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { address } from "./format.js";

const EVERY_MS = 30000;
const form = formOf("filter");
/** @typedef {import("./floor-documents").FiguresRow} FiguresRow */
/** @type {FiguresRow[]} */
let figures = [];
/** @type {Grid<FiguresRow> | null} */
let grid = null;
let by = "";

/** @param {string} name */
function chosen(name) {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field.value : "";
}

function query() {
  return new URLSearchParams({ by: chosen("by"), hours: chosen("hours") }).toString();
}

/** @param {string} name */
function named(name) {
  const words = whose(by, name);
  return name && (by === "table" || by === "wheel") ? el("a", { href: address(by === "table" ? "tables" : "wheels", name) }, words) : words;
}

function draw() {
  const words = chosen("text").trim().toLowerCase();
  const found = figures.filter((one) => whose(by, one.name).toLowerCase().includes(words));
  grid?.show(found);
  const rounds = found.reduce((sum, one) => sum + one.rounds, 0);
  setText(role("count"), `${found.length} of ${figures.length}, ${rounds.toLocaleString("en")} rounds`);
}

/** @param {import("./floor-documents").Statistics} document */
function show(document) {
  if (document.by !== by || !grid) {
    by = document.by;
    const more = role("more");
    const fresh = more.cloneNode(true);
    more.replaceWith(fresh);
    grid = new Grid({ table: role("grid"), more: role("more"), columns: columns(by, named), key: (one) => one.name, limit: 150 });
  }
  figures = document.figures;
  draw();
  const query = new URLSearchParams({ by, from: document.from, to: document.to });
  role("phases").setAttribute("src", `/statistics/phases.svg?${query}`);
  const times = new URLSearchParams({ from: document.from, to: document.to });
  fill(
    role("exports"),
    "export: ",
    ...files("statistics", ["csv", "json"], query, "these statistics"),
    ...files("rounds", FORMATS, times, "these rounds"),
    ...files("sums", FORMATS, times, "sums of their hours"),
    ...(document.kept_from ? [`; rounds are kept from ${document.kept_from} on, older figures are of whole hours`] : []),
  );
}

setText(role("explained"), EXPLAINED);
const ask = poll(() => `/statistics.json?${query()}`, show, EVERY_MS);
form.addEventListener("input", (event) => (event.target instanceof HTMLInputElement ? draw() : ask()));
form.addEventListener("submit", (event) => event.preventDefault());
