/** The record by round: what came of each, and whether its entries fit. */

import { get } from "./ask.js";
import { el, fill, plain, role, setText } from "./dom.js";
import { describe } from "./parts.js";

const form = role("filter");
const { outcome, round: number } = form.elements;
/** Before which round the next page begins. */
let next = null;

function time(ms) {
  const at = new Date(ms);
  // Sweden writes the year first, as a record should: 2026-11-21 17:42:14.
  return el("time", { datetime: at.toISOString() }, at.toLocaleString("sv-SE"));
}

async function show() {
  next = /^\d+$/.test(number.value) ? Number(number.value) + 1 : null;
  fill(role("rounds"));
  await more();
}

async function more() {
  const query = new URLSearchParams({ outcome: outcome.value });
  if (next !== null) query.set("before", String(next));
  const page = await get(`/rounds.json?${query}`);
  if ("error" in page) {
    setText(role("status"), page.error);
    return;
  }
  role("rounds").append(...page.rounds.map(row));
  if (!role("rounds").children.length) fill(role("rounds"), el("tr", {}, el("td", { colspan: 6 }, "no such round is on record")));
  next = page.next;
  role("older").hidden = !page.more;
  const { problem } = page;
  role("status").classList.toggle("wrong", Boolean(problem));
  setText(role("status"), problem ? `✕ the record does not fit: ${problem}` : "✓ each of these entries fits the one before it");
}

function row(round) {
  const open = el("button", { type: "button", "data-round": round.round }, round.round);
  open.addEventListener("click", () => one(round.round));
  const paid = round.wins.slice(0, 4).map((win) => `${win.label ?? plain(win.area)}: ${win.pays}`);
  const rest = round.wins.length - paid.length;
  return el(
    "tr",
    { class: round.outcome },
    el("th", { scope: "row" }, open),
    el("td", {}, time(round.utc_ms)),
    el("td", { class: "label" }, outcome(round)),
    el("td", {}, paid.join(", ") + (rest > 0 ? ` and ${rest} more` : "")),
    el("td", {}, round.voids.map(plain).join(", ")),
    el("td", {}, round.alerts || ""),
  );
}

function outcome(round) {
  if (round.label) return plain(round.label);
  if (round.round === 0) return "before the first round";
  return round.outcome === "open" ? "not settled" : "no result";
}

async function one(round) {
  const place = role("one");
  const found = await get(`/rounds/${round}.json`);
  place.hidden = false;
  if ("error" in found) {
    fill(place, el("p", { class: "wrong" }, found.error));
    return;
  }
  const verdict = found.problem === "" ? "✓ every entry fits the one before it" : `✕ ${found.problem}`;
  const title = el("h2", { tabindex: "-1" }, `Round ${round}`);
  fill(
    place,
    title,
    el("p", { class: found.problem === "" ? "verified" : "verified wrong" }, verdict),
    el(
      "ol",
      { class: "entries", "data-role": "entries" },
      ...found.lines.map((line) => el("li", {}, el("small", {}, line.seq, " "), time(line.utc_ms), " ", line.words)),
    ),
  );
  title.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
outcome.addEventListener("change", show);
role("older").addEventListener("click", more);
const table = await get("/table.json");
if (!("error" in table)) describe(table, "rounds");
await show();
