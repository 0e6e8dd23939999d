/** One table: its state, its figures of a day, its record, its last rounds. */

import { el, fill, plain, role, setText, whenChanged } from "./dom.js";
import { EXPLAINED, columns, wayTo, whose } from "./statistics-columns.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { address, age, alerted, count, limited, reasons, share, since, synchronise, time } from "./format.js";

const EVERY_MS = 5000;
const SUMMED = ["table", "dealer", "wheel"];
const here = location.pathname;
let tableName = "";
const grids = new Map();

function fact(title, ...words) {
  return el("div", {}, el("dt", {}, title), el("dd", {}, ...words));
}

function facts(table) {
  const connection = !table.online ? ["offline", "off"] : table.running ? ["online", ""] : ["not playing", "idle"];
  const limits = table.limits ? limited(table.limits) : ["not known"];
  return [
    fact("table", el("span", { class: `mark ${connection[1]}` }, connection[0]), " for ", since(table.changed_ms), ", last heard ", since(table.heard_ms), " ago"),
    fact("state", table.state_words || "not known", table.round ? `, round ${table.round}` : ""),
    fact("limits", ...limits),
    fact("dealer", table.dealer || "nobody logged on"),
    fact("wheel", table.wheel ? el("a", { href: address("wheels", table.wheel) }, table.wheel) : "no serial number"),
    fact("sensors", ...(table.health.length ? table.health.map(faulty) : [table.online ? "ok" : "not known"])),
    fact("the last hour", `${table.rounds_an_hour} rounds, void ${share(table.void_rate)} ${reasons(table.voids)}`),
    fact("last results", table.results.length ? table.results.join(", ") : "none"),
    fact("software", table.software || "not known"),
  ];
}

function faulty(one) {
  return el("p", { class: "warn" }, `${plain(one.device)} ${one.state}${one.detail ? `: ${one.detail}` : ""}`);
}

function recorded(record) {
  const words = [`complete to entry ${record.complete_to}`];
  if (record.deleted_to) words.push(`rounds up to entry ${record.deleted_to} were too old and are deleted`);
  if (record.awaited) words.push(`${record.awaited} entries that the table has handed over are awaited`);
  if (record.disputed) words.push(`${record.disputed} rounds contradict it and are kept apart`);
  if (record.replaces) words.push(`takes the place of: ${record.replaces}`);
  return el(
    "li",
    {},
    el("b", {}, record.present ? "present record: " : "earlier record: "),
    el("span", { class: record.awaited || record.disputed ? "warn" : "" }, words.join("; ")),
    " ",
    el("span", { class: "hash" }, record.record),
    ", here since ",
    time(record.begun_ms),
  );
}

function played(round) {
  const cell = (title, ...words) => el("td", { "data-label": title }, ...words);
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, round.number),
    cell("closed", time(round.closed_ms)),
    cell("took", age(round.closed_ms - round.opened_ms)),
    cell("results", round.results.join(", ")),
    cell("void", round.voids.map(plain).join(", ")),
    cell("returned", round.returned.map(plain).join(", ")),
    cell("corrected", round.corrections || ""),
    cell("dealer", round.dealer),
  );
}

function figures(table) {
  for (const by of SUMMED) {
    let grid = grids.get(by);
    if (!grid) {
      const node = el("table", { class: "grid cards", "aria-label": `figures by ${by}` });
      const more = el("button", { type: "button", hidden: true });
      const named = (name) => (by === "wheel" && name ? el("a", { href: address("wheels", name) }, name) : whose(by, name));
      grid = new Grid({ table: node, more, columns: columns(by, named, wayTo(by, () => ({ hours: "24", table: tableName })), true), key: (one) => one.name, limit: 40 });
      grids.set(by, grid);
      role("figures").append(el("h3", {}, by === "table" ? "all rounds" : `by ${by}`), el("div", { class: "list" }, node), more);
    }
    grid.show(table.statistics[`by_${by}`]);
  }
}

/** The pictures are made anew when a round has closed. */
const pictures = whenChanged(() => {
  for (const name of ["hours", "phases"]) role(name).setAttribute("src", `${here}/${name}.svg?at=${Date.now()}`);
});

function show(table) {
  synchronise(table.utc_ms);
  document.title = `${table.table} – ${table.floor}`;
  setText(role("title"), table.table);
  tableName = table.table;
  setText(role("subtitle"), `${table.title}, ${table.floor}`);
  fill(role("facts"), ...facts(table));
  fill(role("alerts"), ...(table.told.length ? table.told.map((one) => alerted(one, false)) : [el("li", { class: "over" }, "none")]));
  pictures([table.rounds[0]?.closed_ms, Math.floor(table.utc_ms / 600000)]);
  fill(role("hours-numbers"), ...table.hours.map(([hour, rounds]) => el("li", {}, `${hour.replace("T", " ")}:00 UTC: ${rounds}`)));
  figures(table);
  fill(role("records"), ...(table.records.length ? table.records.map(recorded) : [el("li", {}, "no round of this table is here yet")]));
  fill(role("rounds"), ...table.rounds.map(played));
  exported(table.table);
}

const exported = whenChanged((table) => {
  const query = `table=${encodeURIComponent(table)}`;
  fill(
    role("exports"),
    "the last 24 hours as CSV: ",
    ...["rounds", "spins", "alerts"].map((what) => el("a", { href: `/export/${what}.csv?${query}` }, what)),
    el("a", { href: `/statistics.csv?${query}` }, "statistics"),
  );
});

setText(role("explained"), EXPLAINED);
count();
poll(() => `${here}.json`, show, EVERY_MS);
