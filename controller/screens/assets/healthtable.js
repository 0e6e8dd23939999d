/** The measures of a wheel by day, as a table: the same on a table's page and on the floor's. */

import { el } from "./dom.js";

const HEADERS = [
  "day (UTC)", "spins", "loss ↺", "loss ↻", "air", "strike ↺", "strike ↻", "release ↺", "release ↻",
  "width ↺", "width ↻", "favours", "odd peg",
];

function figure(value, digits, signed = false) {
  if (value === null) return "–";
  return (signed && value >= 0 ? "+" : "") + value.toFixed(digits).replace("-", "−");
}

function row(day) {
  const cells = [
    String(day.spins),
    ...day.loss.map((value) => figure(value, 3)),
    figure(day.air, 3),
    ...[...day.strike_deg, ...day.release_deg].map((value) => figure(value, 2, true)),
    ...day.width_deg.map((value) => figure(value, 2)),
    `${(100 * day.favours).toFixed(1)}%`,
    `${day.odd_peg} ${figure(day.odd_deg, 2, true)}`,
  ];
  return el("tr", {}, el("th", { scope: "row" }, day.since), ...cells.map((cell) => el("td", {}, cell)));
}

function table(headers, rows) {
  return [
    el("thead", {}, el("tr", {}, ...headers.map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, ...rows),
  ];
}

/** Head and body of the table. */
export function healthTable(days) {
  return table(HEADERS, days.map(row));
}

/** The same of a roulette wheel. */
export function rotorTable(days, level) {
  const percent = (part) => (part === null ? "–" : `${Math.round(100 * part)}%`);
  const headers = ["day (UTC)", "spins", `ball_1 to ball_2 (level: ${percent(level)})`, "rotor loses"];
  return table(
    headers,
    days.map((day) => {
      const cells = [String(day.spins), percent(day.between), figure(day.loss, 4)];
      return el("tr", {}, el("th", { scope: "row" }, day.since), ...cells.map((cell) => el("td", {}, cell)));
    }),
  );
}
