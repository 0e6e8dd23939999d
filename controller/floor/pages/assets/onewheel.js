/** One wheel: the evidence, the rose, the counts. */

import { el, fill, role, setText, whenChanged } from "./dom.js";
import { Grid } from "./grid.js";
import { poll } from "./poll.js";
import { digits, time } from "./format.js";

const EVERY_MS = 10000;
const here = location.pathname;
const UNKNOWN = "direction not known";
let grid = null;
let heads = "";

function fact(title, ...words) {
  return el("div", {}, el("dt", {}, title), el("dd", {}, ...words));
}

function probability(p) {
  return p < 0.0001 ? p.toExponential(1) : p.toFixed(4);
}

function facts(wheel) {
  const { chi_square: test } = wheel;
  return [
    fact("evidence now (log10)", wheel.evidence.toFixed(2)),
    fact("highest ever (log10)", `${wheel.highest.toFixed(2)}: ${wheel.highest_words}`),
    fact("alarm at (log10)", `${wheel.threshold.toFixed(2)}: ${digits(wheel.odds)} to 1`),
    fact("alarm", wheel.alarmed_ms ? time(wheel.alarmed_ms) : "never"),
    fact("spins", digits(wheel.spins)),
    fact("chi-square of all spins", `${test.statistic.toFixed(1)} at ${test.degrees} degrees of freedom, p = ${probability(test.p)}; right for a single look, not for one after another`),
  ];
}

function counts(wheel) {
  const ways = Object.keys(wheel.counts);
  const expected = wheel.totals.reduce((sum, one) => sum + one, 0) / wheel.of;
  if (!grid || heads !== ways.join()) {
    heads = ways.join();
    role("more").replaceWith(role("more").cloneNode(true));
    grid = listed(ways);
  }
  grid.show(
    wheel.totals.map((total, position) => ({
      position,
      label: wheel.labels[position],
      total,
      ratio: expected ? total / expected : null,
      counts: Object.fromEntries(ways.map((way) => [way, wheel.counts[way][position]])),
    })),
  );
}

/** A row for each section, a column for each direction. */
function listed(ways) {
  return new Grid({
    table: role("grid"),
    more: role("more"),
    key: (row) => String(row.position),
    limit: 100,
    columns: [
      { name: "section", title: "section", cell: (row) => [row.position + 1], value: (row) => row.position },
      { name: "label", title: "label", cell: (row) => [row.label || "not seen"], value: (row) => row.label },
      { name: "total", title: "spins", kind: "number", cell: (row) => [digits(row.total)], value: (row) => row.total },
      { name: "ratio", title: "of the expected", kind: "number", cell: (row) => [row.ratio === null ? "–" : `${Math.round(row.ratio * 100)} %`], value: (row) => row.total },
      ...ways.map((way) => ({
        name: way || "unknown",
        title: way || UNKNOWN,
        kind: "number",
        cell: (row) => [digits(row.counts[way])],
        value: (row) => row.counts[way],
      })),
    ],
  });
}

const picture = whenChanged((spins) => role("rose").setAttribute("src", `${here}/rose.svg?spins=${spins}`));

function show(wheel) {
  document.title = `${wheel.wheel} – ${wheel.floor}`;
  setText(role("title"), wheel.wheel);
  setText(role("subtitle"), `${wheel.title}, ${wheel.of} sections, ${wheel.floor}`);
  setText(role("evidence"), wheel.evidence_words);
  setText(role("suspicion"), wheel.suspicion);
  fill(role("facts"), ...facts(wheel));
  picture(wheel.spins);
  counts(wheel);
}

setText(
  role("explained"),
  "The evidence may be looked at after every spin: a fair wheel passes the alarm's odds, ever in its life, with a probability of at most one in so many.",
);
poll(() => `${here}.json`, show, EVERY_MS);
