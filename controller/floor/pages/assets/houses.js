/** The houses of a group: whether each is there, how far behind it is, and what of it is an alert. */

import { el, field, formOf, role, setText } from "./dom.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { digits, since, time } from "./format.js";

const EVERY_MS = 5000;
const APART_MS = 120000;
const form = formOf("filter");
const text = field(form, "text", HTMLInputElement);
let houses = [];

function line(row) {
  const word = row.online ? "online" : "offline";
  return [el("span", { class: row.online ? "mark" : "mark off" }, word), " ", row.changed_ms !== null && el("small", {}, "for ", since(row.changed_ms))];
}

/** How far the clock is ahead, in words. */
function clock(row) {
  if (row.ahead_ms === null) return "not known";
  if (Math.abs(row.ahead_ms) <= APART_MS) return "right";
  return `${digits(Math.round(Math.abs(row.ahead_ms) / 60000))} minutes ${row.ahead_ms > 0 ? "ahead" : "behind"}`;
}

function behind(row) {
  if (!row.waiting) return ["nothing waits"];
  return [`${digits(row.waiting)} rounds`, " ", row.oldest_ms !== null && el("small", {}, "since ", time(row.oldest_ms))];
}

const grid = new Grid({
  table: role("grid"),
  more: role("more"),
  key: (row) => row.house,
  limit: 150,
  columns: [
    { name: "house", title: "house", cell: (row) => [row.house, row.alerts > 0 && " ", row.alerts > 0 && el("span", { class: "mark bad" }, row.alerts === 1 ? "1 alert" : `${row.alerts} alerts`)], value: (row) => row.house },
    { name: "line", title: "line", cell: line, value: (row) => (row.online ? 1 : 0) },
    { name: "tables", title: "tables online", kind: "number", cell: (row) => [`${row.tables_online} of ${row.tables}`], value: (row) => row.tables },
    { name: "rounds", title: "rounds in 24 h", kind: "number", cell: (row) => [digits(row.rounds)], value: (row) => row.rounds },
    { name: "behind", title: "to be relayed", cell: behind, value: (row) => row.waiting },
    { name: "clock", title: "clock", cell: (row) => [el("span", { class: Math.abs(row.ahead_ms ?? 0) > APART_MS ? "warn" : "" }, clock(row))], value: (row) => row.ahead_ms },
    { name: "heard", title: "last heard", cell: (row) => (row.heard_ms === null ? [] : [time(row.heard_ms)]), value: (row) => row.heard_ms },
    { name: "floor", title: "floor", cell: (row) => [row.floor, " ", el("small", {}, row.software)], value: (row) => row.floor || null },
  ],
});

function show() {
  const words = text.value.trim().toLowerCase();
  const found = houses.filter((row) => `${row.house} ${row.floor}`.toLowerCase().includes(words));
  grid.show(found);
  setText(role("count"), found.length === houses.length ? `${houses.length} houses` : `${found.length} of ${houses.length} houses`);
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
setText(role("explained"), "What each house's floor says of itself, and what is known of its tables. The line is that from the house to this floor.");
poll(
  () => "/houses.json",
  (found) => {
    setText(role("subtitle"), found.floor);
    houses = found.houses;
    show();
  },
  EVERY_MS,
);
