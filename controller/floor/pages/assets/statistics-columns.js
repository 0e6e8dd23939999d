/** Figures of rounds as columns, the same on every page that has them; each links to the rounds that it is made of. */

import { el, plain } from "./dom.js";
import { digits, share } from "./format.js";

/** Words that lead to rounds; plain words where there is no such way. */

export const EXPLAINED =
  "Rounds an hour by the clock: rounds that closed in the time, divided by its hours so far. In play: divided by the hours that these " +
  "rounds were in play, which leaves out closed, locked and inspected tables and counts at most ten minutes for a state of one round. " +
  "Void: the share of all spins, rolls and deals. Numbers of rounds lead to the rounds themselves.";

const NOBODY = { wheel: "no serial number", dealer: "nobody logged on" };

/** Whose figures they are. */
export function whose(by, name) {
  return name || NOBODY[by] || "–";
}

/** Shares of the time: `bets open 52 %, result 20 %`. */
function shares(phases) {
  const total = Object.values(phases).reduce((sum, ms) => sum + ms, 0);
  return Object.entries(phases)
    .filter(([, ms]) => ms / total >= 0.005)
    .map(([state, ms]) => `${plain(state)} ${Math.round((ms / total) * 100)}\u00a0%`)
    .join(", ");
}

/** Reasons, each leading to its rounds. */
function reasons(one, way) {
  return Object.entries(one.voids).flatMap(([reason, times], at) => [at ? ", " : "", way(`${plain(reason)} ${times.toLocaleString("en")}`, one.name, { reason })]);
}

/**
 * The way to rounds by the names of an address.
 *
 * `scope`: the period, and what else the figures are of
 */
export function wayTo(by, scope) {
  return (words, name, further = {}) =>
    name ? el("a", { href: `/statistics/rounds?${new URLSearchParams({ ...scope(), [by]: name, ...further })}` }, words) : words;
}

/** `timed`: whether there are times in states */
export function columns(by, named, way, timed = true) {
  const found = [
    { name: "name", title: by, cell: (one) => [named(one.name)], value: (one) => one.name || null },
    { name: "rounds", title: "rounds", kind: "number", cell: (one) => [way(digits(one.rounds), one.name)], value: (one) => one.rounds },
    { name: "an_hour", title: "an hour, by the clock", kind: "number", cell: (one) => [digits(one.an_hour)], value: (one) => one.an_hour },
    { name: "in_play", title: "an hour, in play", kind: "number", cell: (one) => [digits(one.an_hour_in_play)], value: (one) => one.an_hour_in_play },
    { name: "void_rate", title: "void", kind: "number", cell: (one) => [one.void_rate ? way(share(one.void_rate), one.name, { reason: "any" }) : share(one.void_rate)], value: (one) => one.void_rate },
    { name: "voids", title: "reasons", kind: "wide reasons", cell: (one) => reasons(one, way), value: (one) => Object.keys(one.voids).join(" ") || null },
    {
      name: "corrections",
      title: "corrections per 1,000",
      kind: "number",
      cell: (one) => [one.corrections ? way(digits(one.corrections_per_1000), one.name, { corrected: "yes" }) : digits(one.corrections_per_1000)],
      value: (one) => one.corrections_per_1000,
    },
  ];
  if (timed) found.push({ name: "phases", title: "time in states", kind: "wide", cell: (one) => [shares(one.phases)], value: (one) => shares(one.phases) });
  return found;
}
