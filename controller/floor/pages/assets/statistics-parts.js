/** The parts of the page of statistics beside the figures: hours, reasons, states, and dealers' spins. */

import { el, fill, plain, role, setText } from "./dom.js";
import { address, digits, share } from "./format.js";
import { Grid } from "./grid.js";
import { whose, wayTo } from "./statistics-columns.js";

/** A table of numbers behind a picture. */
function numbers(name, heads, rows) {
  const cells = (row) => row.map((words, at) => el(at ? "td" : "th", at ? { class: "number" } : { scope: "row" }, words));
  const head = el("tr", {}, ...heads.map((words, at) => el("th", { scope: "col", class: at ? "number" : null }, words)));
  const body = rows.length ? rows.map((row) => el("tr", {}, ...cells(row))) : [el("tr", {}, el("th", { scope: "row" }, "nothing"))];
  fill(role(name), el("thead", {}, head), el("tbody", {}, ...body));
}

export function showHours(found) {
  const games = Object.keys(found.rounds);
  numbers(
    "hours-numbers",
    ["hour", ...games.map(plain), "hours so far", "rounds an hour, all games"],
    found.lasted_h.map((lasted, hour) => [`${String(hour).padStart(2, "0")}:00`, ...games.map((game) => digits(found.rounds[game][hour])), digits(lasted), digits(found.an_hour[hour])]),
  );
}

export function showVoids(found, scope) {
  const way = wayTo("game", scope);
  const reasons = [...new Set(found.games.flatMap((one) => Object.keys(one.voids)))].sort();
  numbers(
    "voids-numbers",
    ["game", "spins, rolls, deals", "void", ...reasons.map(plain)],
    found.games.map((one) => [one.title, digits(one.spins), share(one.void_rate), ...reasons.map((reason) => (one.voids[reason] ? way(digits(one.voids[reason]), one.game, { reason }) : "0"))]),
  );
}

function inSeconds(seconds) {
  return `${seconds.toFixed(1)}\u00a0s`;
}

/** A grid of the tables that are slower. */
export function slowGrid(scope) {
  const way = wayTo("table", scope);
  return new Grid({
    table: role("slow-grid"),
    more: role("slow-more"),
    key: (row) => `${row.table} ${row.game} ${row.state}`,
    limit: 20,
    columns: [
      { name: "table", title: "table", cell: (row) => [el("a", { href: address("tables", row.table) }, row.table)], value: (row) => row.table },
      { name: "game", title: "game", cell: (row) => [plain(row.game)], value: (row) => row.game },
      { name: "state", title: "state", cell: (row) => [plain(row.state)], value: (row) => row.state },
      { name: "mean", title: "mean", kind: "number", cell: (row) => [inSeconds(row.mean_s)], value: (row) => row.mean_s },
      { name: "median", title: "house's median", kind: "number", cell: (row) => [inSeconds(row.median_s)], value: (row) => row.median_s },
      { name: "part", title: "longer by", kind: "number", cell: (row) => [row.median_s ? `${Math.round((row.mean_s / row.median_s - 1) * 100)}\u00a0%` : "–"], value: (row) => (row.median_s ? row.mean_s / row.median_s : null) },
      { name: "rounds", title: "rounds", kind: "number", cell: (row) => [way(digits(row.rounds), row.table, { game: row.game, state: row.state })], value: (row) => row.rounds },
      { name: "more", title: "hours in all", kind: "number", cell: (row) => [digits(row.more_h)], value: (row) => row.more_h },
    ],
  });
}

export function showStates(found, grid) {
  const states = [...new Set(found.medians.flatMap((one) => Object.keys(one.states)))];
  numbers(
    "phases-numbers",
    ["game", "tables", ...states.map(plain)],
    found.medians.map((one) => [one.title, digits(one.tables), ...states.map((state) => (state in one.states ? inSeconds(one.states[state]) : "–"))]),
  );
  const whole = found.compared < found.tables ? `, of ${digits(found.compared)} of ${digits(found.tables)} tables, spread evenly` : `, of ${digits(found.tables)} tables`;
  setText(
    role("states-words"),
    `The median of the tables' mean times of a round in the state${whole}. A round counts with at most ten minutes, a table with 20 rounds or more that had the state.` +
      (found.differences.length ? " Listed is what takes a tenth longer or more, where most time goes first." : " No table takes a tenth longer than the median of its game."),
  );
  grid.show(found.differences);
}

/** Shares of directions. */
function ways(row) {
  return Object.entries(row.directions)
    .map(([way, count]) => `${way || "not known"} ${Math.round((count / row.spins) * 100)}\u00a0%`)
    .join(", ");
}

/** A grid of the spins of dealers. */
export function dealersGrid(scope) {
  const way = wayTo("dealer", scope);
  return new Grid({
    table: role("dealers-grid"),
    more: role("dealers-more"),
    key: (row) => `${row.dealer} ${row.game}`,
    limit: 30,
    columns: [
      { name: "dealer", title: "dealer", cell: (row) => [whose("dealer", row.dealer)], value: (row) => row.dealer || null },
      { name: "game", title: "game", cell: (row) => [plain(row.game)], value: (row) => row.game },
      { name: "spins", title: "throws", kind: "number", cell: (row) => [way(digits(row.spins), row.dealer, { game: row.game })], value: (row) => row.spins },
      { name: "ways", title: "directions", kind: "wide", cell: (row) => [ways(row)], value: (row) => Math.max(...Object.values(row.directions)) / row.spins },
      { name: "revolutions", title: "revolutions", kind: "number", cell: (row) => [digits(row.revolutions)], value: (row) => row.revolutions },
      { name: "short", title: "too few", kind: "number", cell: (row) => [digits(row.short)], value: (row) => row.short },
      { name: "speed", title: "turns a minute", kind: "number", cell: (row) => [digits(row.speed_rpm)], value: (row) => row.speed_rpm },
      { name: "spread", title: "spread", kind: "number", cell: (row) => [digits(row.speed_spread_rpm)], value: (row) => row.speed_spread_rpm },
    ],
  });
}

export function showDealers(found, grid, scope) {
  const way = wayTo("dealer", scope);
  const words = found.findings.map((one) => el("li", { "data-finding": one.kind }, el("b", {}, "dealer ", way(one.dealer, one.dealer, { game: one.game })), `, ${plain(one.game)}: ${one.text} `, el("small", {}, `(by chance: 1 in ${chance(one.p)})`)));
  const none = found.dealers ? "No dealer's directions or slow throws are more than chance may bring." : "No throw of a wheel or ball is in the sums of this time.";
  fill(role("findings"), ...(words.length ? words : [el("li", { class: "none" }, none)]));
  const missing = found.spins_from ? ` Throws are summed from ${found.spins_from} on.` : "";
  const left = found.dealers > found.rows.length ? ` The ${found.rows.length} with the most throws of ${digits(found.dealers)}.` : "";
  setText(
    role("dealers-words"),
    "Of whole days. Direction: of the wheel or the ball. Too few: throws that were void, for they made fewer revolutions than the rules ask for. Turns a minute: the speed of the second revolution, the mean and its standard deviation. " +
      `A dealer stands out who throws more often the same way than nine of ten explain, or whose throws fall short so much more often than other dealers' that chance does not explain it; that anybody does without cause has a probability of at most 1 in ${digits(found.odds)}.${missing}${left}`,
  );
  grid.show(found.rows);
}

/** `40,000`, or `10^12`. */
function chance(p) {
  return p > 1e-9 ? digits(Math.round(1 / p)) : p > 0 ? `10^${Math.floor(-Math.log10(p))}` : "10^300";
}
