/** Two periods beside each other: each figure then and now, and by how much they differ. */

import { digits, share } from "./format.js";

/** A name in both periods. */

/** Names of either period, in the order of the present one. */
export function pairs(now, then) {
  const before = new Map(then.map((one) => [one.name, one]));
  const found = now.map((one) => ({ name: one.name, now: one, then: before.get(one.name) ?? null }));
  const present = new Set(now.map((one) => one.name));
  return [...found, ...then.filter((one) => !present.has(one.name)).map((one) => ({ name: one.name, now: null, then: one }))];
}

/** `+4.2 (+8 %)`. */
function differs(difference, before, words) {
  const sign = difference > 0 ? "+" : difference < 0 ? "−" : "±";
  const part = before ? ` (${sign}${Math.abs((difference / before) * 100).toFixed(0)}\u00a0%)` : "";
  return `${sign}${words(Math.abs(difference))}${part}`;
}

/**
 * A figure:
 * `points`: whether it is a share, whose difference is in points of a hundred
 */

const FIGURES = [
  { name: "an_hour", title: "an hour, by the clock", of: (row) => row.an_hour, words: digits },
  { name: "in_play", title: "an hour, in play", of: (row) => row.an_hour_in_play, words: digits },
  { name: "void_rate", title: "void", of: (row) => row.void_rate, words: share, points: true },
  { name: "corrections", title: "corrections per 1,000", of: (row) => row.corrections_per_1000, words: digits },
];

/** What a figure was and is. */
function cell(figure, pair) {
  const [now, then] = [pair.now && figure.of(pair.now), pair.then && figure.of(pair.then)];
  if (now === null && then === null) return "–";
  if (now === null || then === null) return `${then === null ? "–" : figure.words(then)} → ${now === null ? "–" : figure.words(now)}`;
  const size = figure.points ? differs(now - then, 0, (value) => `${(value * 100).toFixed(1)} points`) : differs(now - then, then, figure.words);
  return `${figure.words(then)} → ${figure.words(now)}: ${size}`;
}

/** By how much a figure differs, to sort by. */
function difference(figure, pair) {
  const [now, then] = [pair.now && figure.of(pair.now), pair.then && figure.of(pair.then)];
  return now === null || then === null ? null : now - then;
}

export function comparedColumns(by, named) {
  const first = [
    { name: "name", title: by, cell: (pair) => [named(pair.name)], value: (pair) => pair.name || null },
    { name: "rounds", title: "rounds", kind: "number", cell: (pair) => [`${digits(pair.then?.rounds ?? 0)} → ${digits(pair.now?.rounds ?? 0)}`], value: (pair) => (pair.now?.rounds ?? 0) - (pair.then?.rounds ?? 0) },
  ];
  return [...first, ...FIGURES.map((figure) => ({ name: figure.name, title: figure.title, kind: "number", cell: (pair) => [cell(figure, pair)], value: (pair) => difference(figure, pair) }))];
}
