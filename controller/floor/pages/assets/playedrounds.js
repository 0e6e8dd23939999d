/** The rounds that a figure is made of, as the page's address says. */

import { el, fill, plain, role, setText } from "./dom.js";
import { address, age, digits, time } from "./format.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";

const EVERY_MS = 60000;
const request = new URLSearchParams(location.search);

const grid = new Grid({
  table: role("grid"),
  more: role("more"),
  key: (row) => String(row.id),
  limit: 100,
  columns: [
    { name: "table", title: "table and round", cell: (row) => [el("a", { href: address("tables", row.table) }, row.table), ` ${digits(row.number)}`], value: (row) => `${row.table} ${row.number}` },
    { name: "closed", title: "closed", cell: (row) => [time(row.closed_ms)], value: (row) => row.closed_ms },
    { name: "took", title: "took", kind: "number", cell: (row) => [age(row.took_ms)], value: (row) => row.took_ms },
    { name: "game", title: "game", cell: (row) => [plain(row.game)], value: (row) => row.game },
    { name: "results", title: "results", kind: "wide", cell: (row) => [row.results.join(", ")], value: (row) => row.results.join(", ") || null },
    { name: "voids", title: "void", kind: "wide", cell: (row) => [row.voids.map(plain).join(", ")], value: (row) => row.voids.join(", ") || null },
    { name: "corrections", title: "corrected", kind: "number", cell: (row) => [row.corrections || ""], value: (row) => row.corrections },
    { name: "dealer", title: "dealer", cell: (row) => [row.dealer], value: (row) => row.dealer || null },
    { name: "wheel", title: "wheel", cell: (row) => [row.wheel && el("a", { href: address("wheels", row.wheel) }, row.wheel)], value: (row) => row.wheel || null },
  ],
});

/** What the address asks for, in words. */
function meant() {
  const words = ["table", "game", "dealer", "wheel"].filter((name) => request.get(name)).map((name) => `${name} ${request.get(name)}`);
  const reason = request.get("reason");
  if (reason) words.push(reason === "any" ? "with a void spin, roll or deal" : `void: ${plain(reason)}`);
  if (request.get("state")) words.push(`that had the state ${plain(request.get("state") ?? "")}`);
  if (request.get("corrected")) words.push("with corrected entries");
  return words.join(", ") || "all rounds";
}

function show(found) {
  const minute = (at) => new Date(at).toLocaleString("sv-SE").slice(0, 16);
  const gone = found.gone ? ` Rounds before ${minute(found.kept_from)} were too old and are deleted; the sums of the statistics still have them.` : "";
  setText(role("words"), `${meant()}, from ${minute(found.period.since)} to ${minute(found.period.until)}.${found.rounds.length ? "" : " There are none."}${gone}`);
  grid.show(found.rounds);
  const next = new URLSearchParams(request);
  next.set("before", String(found.further));
  const first = new URLSearchParams(request);
  first.delete("before");
  fill(role("further"), request.get("before") && el("a", { href: `?${first}` }, "the newest ones"), found.further > 0 && el("a", { href: `?${next}` }, "older ones"));
}

poll(() => `/statistics/rounds.json?${request}`, show, EVERY_MS);
