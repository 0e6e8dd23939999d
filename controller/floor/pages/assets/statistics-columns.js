// @ts-check
/** Figures of rounds as columns, the same on every page that has them. */

import { plain } from "./dom.js";
import { digits, reasons, share } from "./format.js";

/** @typedef {import("./floor-documents").FiguresRow} FiguresRow */

export const EXPLAINED =
  "Rounds an hour by the clock: rounds that closed in the time, divided by its hours. In play: divided by the hours that these rounds " +
  "were in play, which leaves out closed, locked and inspected tables and counts at most ten minutes for a state of one round. " +
  "Void: the share of all spins, rolls and deals.";

/** @type {Record<string, string>} */
const NOBODY = { wheel: "no serial number", dealer: "nobody logged on" };

/** Whose figures they are. @param {string} by @param {string} name */
export function whose(by, name) {
  return name || NOBODY[by] || "–";
}

/** Shares of the time: `bets open 52 %, result 20 %`. @param {Record<string, number>} phases */
function shares(phases) {
  const total = Object.values(phases).reduce((sum, ms) => sum + ms, 0);
  return Object.entries(phases)
    .filter(([, ms]) => ms / total >= 0.005)
    .map(([state, ms]) => `${plain(state)} ${Math.round((ms / total) * 100)}\u00a0%`)
    .join(", ");
}

/**
 * @param {string} by
 * @param {(name: string) => import("./dom.js").Child} named
 * @returns {import("./grid.js").Column<FiguresRow>[]}
 */
export function columns(by, named) {
  return [
    { name: "name", title: by, cell: (one) => [named(one.name)], value: (one) => one.name || null },
    { name: "rounds", title: "rounds", kind: "number", cell: (one) => [digits(one.rounds)], value: (one) => one.rounds },
    { name: "an_hour", title: "an hour, by the clock", kind: "number", cell: (one) => [digits(one.an_hour)], value: (one) => one.an_hour },
    { name: "in_play", title: "an hour, in play", kind: "number", cell: (one) => [digits(one.an_hour_in_play)], value: (one) => one.an_hour_in_play },
    { name: "void_rate", title: "void", kind: "number", cell: (one) => [share(one.void_rate)], value: (one) => one.void_rate },
    { name: "voids", title: "reasons", kind: "wide", cell: (one) => [reasons(one.voids)], value: (one) => reasons(one.voids) || null },
    { name: "corrections", title: "corrections per 1,000", kind: "number", cell: (one) => [digits(one.corrections_per_1000)], value: (one) => one.corrections_per_1000 },
    { name: "phases", title: "time in states", kind: "wide", cell: (one) => [shares(one.phases)], value: (one) => shares(one.phases) },
  ];
}
