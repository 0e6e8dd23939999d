/** What the floor offers to its tables as an update, what runs on each, and what it has made of the offer. */

import { el, field, formOf, role, setText } from "./dom.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { address, digits } from "./format.js";

const EVERY_MS = 5000;
const BAD = new Set(["refused", "failed"]);
const form = formOf("filter");
const text = field(form, "text", HTMLInputElement);
let rows = [];
let bundle = null;

function running(row) {
  if (row.takes === false) return "takes no updates in this way: no card's image runs there";
  if (!row.running) return row.takes === null ? "it has not said what runs" : "not known";
  return `${row.running}, slot ${row.slot}`;
}

function stage(row) {
  if (row.takes === false || !bundle) return "";
  if (row.not_offered) return row.not_offered;
  if (!row.stage) return row.online ? "announced" : "offline";
  return row.stage === "fetching" ? `fetching, ${Math.floor((100 * row.received) / bundle.size)} %` : row.stage;
}

const grid = new Grid({
  table: role("grid"),
  more: role("more"),
  key: (row) => row.table,
  limit: 150,
  columns: [
    { name: "table", title: "table", cell: (row) => [el("a", { href: address("tables", row.table) }, row.table)], value: (row) => row.table },
    { name: "running", title: "runs", kind: "wide", cell: (row) => [running(row)], value: running },
    { name: "stage", title: "this update", kind: "wide", cell: (row) => [el("span", { class: BAD.has(row.stage) ? "mark bad" : "" }, stage(row))], value: stage },
    { name: "why", title: "why", kind: "wide", cell: (row) => [row.why], value: (row) => row.why || null },
  ],
});

function show() {
  const words = text.value.trim().toLowerCase();
  const found = rows.filter((row) => `${row.table} ${running(row)} ${stage(row)} ${row.why}`.toLowerCase().includes(words));
  grid.show(found);
  setText(role("count"), found.length === rows.length ? `${rows.length} tables` : `${found.length} of ${rows.length} tables`);
}

function offered(found) {
  if (found.bundle) return `${found.bundle.name}, version ${found.bundle.release}, ${digits(found.bundle.size / 1e6)} MB, SHA-256 ${found.bundle.digest}`;
  return found.folder ? `Nothing is offered. An update is offered once it lies in ${found.folder}.` : "Nothing is offered.";
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
poll(
  () => "/updates.json",
  (found) => {
    setText(role("subtitle"), found.floor);
    setText(role("problem"), found.problem);
    role("problem").hidden = !found.problem;
    setText(role("offered"), offered(found));
    [rows, bundle] = [found.tables, found.bundle];
    show();
  },
  EVERY_MS,
);
