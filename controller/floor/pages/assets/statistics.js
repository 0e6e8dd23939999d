/** Statistics of a period: figures by table, wheel, game or dealer, against another period, and what stands out. */

import { el, field, fill, formOf, plain, role, setText, whenChanged } from "./dom.js";
import { address, digits } from "./format.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { EXPLAINED, columns, wayTo, whose } from "./statistics-columns.js";
import { comparedColumns, pairs } from "./statistics-compared.js";
import { dealersGrid, showDealers, showHours, showStates, showVoids, slowGrid } from "./statistics-parts.js";

const EVERY_MS = 60000;
const TYPED_MS = 400;
const LIMIT = 150;
const form = formOf("filter");
const FIELDS = ["by", "period", "first", "last", "against", "against_first", "against_last", "game", "text"];
let period = {};
let grid = null;
let compared = null;
let by = "";
const scope = () => ({ ...period, ...(chosen("game") ? { game: chosen("game") } : {}) });
const slow = slowGrid(scope);
const dealers = dealersGrid(scope);

function chosen(name) {
  const node = form.elements.namedItem(name);
  return node instanceof HTMLSelectElement || node instanceof HTMLInputElement ? node.value : "";
}

/** The period as an address names it. */
function requested() {
  const value = chosen("period");
  const named = value.startsWith("hours-") ? { hours: value.slice(6) } : { period: value };
  return value !== "days" ? named : chosen("first") && chosen("last") ? { first: chosen("first"), last: chosen("last") } : { period: "today" };
}

/** What to compare with. */
function against() {
  if (chosen("against") === "before") return { against: "before" };
  const [first, last] = [chosen("against_first"), chosen("against_last")];
  return chosen("against") === "days" && first && last ? { against_first: first, against_last: last } : {};
}

/** `all`: with the comparison and what is to be found */
function query(all) {
  const more = all ? { by: chosen("by"), ...against(), ...(chosen("text").trim() ? { text: chosen("text").trim() } : {}) } : {};
  return new URLSearchParams({ ...requested(), ...(chosen("game") ? { game: chosen("game") } : {}), ...more }).toString();
}

function named(name) {
  const words = whose(by, name);
  return name && (by === "table" || by === "wheel") ? el("a", { href: address(by === "table" ? "tables" : "wheels", name) }, words) : words;
}

/** A button that nothing listens to yet. */
function fresh(name) {
  const node = role(name);
  node.replaceWith(node.cloneNode(true));
  return role(name);
}

/** `2026-11-16 to 2026-11-22`. */
function spoken(of) {
  const minute = (at) => new Date(at).toLocaleString("sv-SE").slice(0, 16);
  if (!of.whole) return `${minute(of.since)} to ${minute(of.until)}`;
  return `${of.first === of.last ? of.first : `${of.first} to ${of.last}`}, whole ${of.whole} of the house`;
}

function spokenAll(found) {
  const kept = found.kept_from && found.period.since < found.kept_from ? ` Rounds before ${new Date(found.kept_from).toLocaleString("sv-SE").slice(0, 16)} were too old and are deleted: their figures are from sums, which stay, and lead to no rounds.` : "";
  return `${spoken(found.period)} (${found.zone}).${kept}`;
}

function show(found) {
  if (found.by !== by || !grid || !compared) {
    by = found.by;
    grid = new Grid({ table: role("grid"), more: fresh("more"), columns: columns(by, named, wayTo(by, scope), by === "table" || by === "game"), key: (one) => one.name, limit: LIMIT });
    compared = new Grid({ table: role("compared-grid"), more: fresh("compared-more"), columns: comparedColumns(by, named), key: (one) => one.name, limit: LIMIT });
  }
  period = { from: found.period.since, to: found.period.until };
  grid.show(found.figures);
  const shown = found.figures.length < found.names ? `the ${digits(found.figures.length)} with the most rounds of ${digits(found.names)}; find names to see others` : `${digits(found.names)}`;
  setText(role("count"), found.names ? `${digits(found.rounds)} rounds; by ${by}: ${shown}` : "No round closed in this time.");
  setText(role("period"), spokenAll(found));
  role("compared").hidden = !found.against;
  if (found.against) {
    setText(role("compared-words"), `${spoken(found.against)} → ${spoken(found.period)}. Differences of rates, and by which part of what it was; of void in points of a hundred.`);
    compared.show(pairs(found.figures, found.before));
  }
  const times = new URLSearchParams(scope());
  fill(
    role("exports"),
    "as CSV: ",
    el("a", { href: `/statistics.csv?${query(true)}` }, "these figures"),
    el("a", { href: `/export/rounds.csv?${times}` }, "these rounds"),
    el("a", { href: `/export/sums.csv?${times}` }, "sums of their hours"),
  );
  parts();
}

/** The games that there are, to choose from. */
const offer = whenChanged((games) => {
  const select = field(form, "game", HTMLSelectElement);
  const before = select.value;
  const all = [...new Set([...games, ...(before ? [before] : [])])].sort();
  fill(select, el("option", { value: "" }, "all"), ...all.map((game) => el("option", { value: game }, plain(game))));
  select.value = before;
});

let latest = 0;

/** Ask for the other parts, one after the other; what fails is requested again with the next figures. */
async function parts() {
  const mine = ++latest;
  const words = query(false);
  for (const [name, picture, draw] of PARTS) {
    const answer = await fetch(`/statistics/${name}.json?${words}`, { cache: "no-store" }).catch(() => null);
    const found = answer?.ok ? await answer.json() : null;
    if (mine !== latest || !found) return;
    draw(found);
    changed(picture, `/statistics/${picture}.svg?${words}`, JSON.stringify(found));
  }
}

const drawn = new Map();

/** Have a picture drawn anew if its numbers have changed. */
function changed(picture, source, numbers) {
  if (drawn.get(picture) === source + numbers) return;
  drawn.set(picture, source + numbers);
  role(picture).setAttribute("src", `${source}&at=${Date.now()}`);
}

const PARTS = [
  ["hours", "hours", (found) => (showHours(found), chosen("game") || offer(Object.keys(found.rounds)))],
  ["voids", "voids", (found) => showVoids(found, scope)],
  ["states", "phases", (found) => showStates(found, slow)],
  ["dealers", "directions", (found) => showDealers(found, dealers, scope)],
];

/** Take what the address says into the form. */
function restore() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const node = FIELDS.includes(name) ? form.elements.namedItem(name) : null;
    if (node instanceof HTMLSelectElement && name === "game" && value) fill(node, el("option", { value: "" }, "all"), el("option", { value }, plain(value)));
    if (node instanceof HTMLSelectElement || node instanceof HTMLInputElement) node.value = value;
  }
  if (!chosen("period")) field(form, "period", HTMLSelectElement).value = "hours-1";
}

/** Show the fields that are of use, and keep what is chosen in the address. */
function settle() {
  for (const [name, shown] of [["days", chosen("period") === "days"], ["days-to", chosen("period") === "days"], ["against", chosen("against") === "days"], ["against-to", chosen("against") === "days"]]) {
    role(String(name)).hidden = !shown;
  }
  const kept = new URLSearchParams(FIELDS.map((name) => [name, chosen(name)]).filter(([, value]) => value));
  history.replaceState(null, "", `?${kept}`);
}

setText(role("explained"), EXPLAINED);
restore();
settle();
const ask = poll(() => `/statistics.json?${query(true)}`, show, EVERY_MS);
let typing = 0;
form.addEventListener("input", (event) => {
  settle();
  clearTimeout(typing);
  if (event.target instanceof HTMLInputElement) typing = window.setTimeout(ask, TYPED_MS);
  else ask();
});
form.addEventListener("submit", (event) => event.preventDefault());
