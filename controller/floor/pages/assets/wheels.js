/** All wheels, and what speaks against each. */

import { el, field, formOf, role, setText } from "./dom.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { address, digits, time } from "./format.js";

const EVERY_MS = 10000;
const form = formOf("filter");
const text = field(form, "text", HTMLInputElement);
let wheels = [];

const grid = new Grid({
  table: role("grid"),
  more: role("more"),
  key: (row) => row.wheel,
  limit: 150,
  columns: [
    { name: "wheel", title: "wheel", cell: (row) => [el("a", { href: address("wheels", row.wheel) }, row.wheel)], value: (row) => row.wheel },
    { name: "game", title: "game", cell: (row) => [row.title], value: (row) => row.title },
    { name: "spins", title: "spins", kind: "number", cell: (row) => [digits(row.spins)], value: (row) => row.spins },
    { name: "evidence", title: "evidence (log10)", kind: "number", cell: (row) => [row.evidence.toFixed(2)], value: (row) => row.evidence },
    { name: "words", title: "in words", kind: "wide", cell: (row) => [row.evidence_words], value: (row) => row.evidence },
    { name: "highest", title: "highest ever", kind: "number", cell: (row) => [row.highest.toFixed(2)], value: (row) => row.highest },
    { name: "alarm", title: "alarm", cell: (row) => (row.alarmed_ms ? [el("span", { class: "mark bad" }, "alarm"), " ", time(row.alarmed_ms)] : []), value: (row) => row.alarmed_ms },
    { name: "suspicion", title: "points to", kind: "wide", cell: (row) => [row.suspicion], value: (row) => row.suspicion || null },
  ],
});

function show() {
  const words = text.value.trim().toLowerCase();
  const found = wheels.filter((row) => `${row.wheel} ${row.title} ${row.suspicion}`.toLowerCase().includes(words));
  grid.show(found);
  setText(role("count"), found.length === wheels.length ? `${wheels.length} wheels` : `${found.length} of ${wheels.length} wheels`);
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
setText(
  role("explained"),
  "Evidence is the logarithm of an e-value: 2 says 100 to 1 against a wheel whose sections all come up equally often. It may be looked at " +
    "after every spin; a fair wheel passes the configured odds, ever in its life, with a probability of at most one in so many.",
);
poll(
  () => "/wheels.json",
  (found) => {
    setText(role("subtitle"), found.floor);
    wheels = found.wheels;
    show();
  },
  EVERY_MS,
);
