/** The past on the board: the last results, and how often each result came today. */

import { el, fill, role, setText } from "./dom.js";
import { inWords, whenPictureChanged } from "./parts.js";

/** Results that stand in two rows, as their words are long: `war: 10 10 10 10 10 10 10 against 10`. */
const IN_ROWS = 8;
/** So many labels stand beside their counts; of more, each stands above its own. */
const BESIDE = 8;
/** Numbers that are called hot, and as many cold. */
const EXTREMES = 3;
const THIN = "\u2009";
const DICE = /^(\d-\d) red (\d) /;
const CARDS = /^(war: )?(.+) against (.+)$/;

/**
 * A result in a small box. Its tooltip has all of its words.
 *
 * `label`: `17`, `3-4 red 1 no gain`, `K 4 10 against 7`
 */
function words(label) {
  const [, green, red] = DICE.exec(label) ?? [];
  if (red) return [green.replace("-", THIN), " ", el("u", {}, red)];
  const [, war, cards, dealer] = CARDS.exec(label) ?? [];
  if (!dealer) return [label.split(",")[0]];
  return [war ? el("small", {}, "war ") : "", cards.replaceAll(" ", THIN), el("small", {}, " v "), el("u", {}, dealer)].filter(Boolean);
}

/** The last results, newest first. Each has its place from the beginning, so that nothing moves when one more comes. */
export function history(figure) {
  const most = figure.column ?? IN_ROWS;
  document.body.dataset.past = figure.column ? "column" : "rows";
  role("history").style.setProperty("--most", String(most));
  setText(role("past-title"), `Last ${most}`);
  return whenPictureChanged(["history"], ({ history: past }) => {
    const empty = Array.from({ length: Math.max(0, most - past.length) }, () => el("li", { class: "result-box none", "aria-hidden": "true" }));
    const boxes = past.slice(0, most).map((one) => box(one, figure));
    fill(role("history"), ...boxes, ...empty);
  });
}

function box(one, figure) {
  const title = `round ${one.round}: ${inWords(one.label)}${one.colour ? `, ${one.colour}` : ""}`;
  const drawn = figure.line?.(one) ?? [];
  const kind = figure.kind?.(one) ?? one.colour;
  return el("li", { class: `result-box ${kind}`, title, "data-fit": figure.column ? null : 1.3 }, ...(drawn.length ? drawn : [el("span", {}, ...words(one.label))]));
}

/** The day's results: how often each came and, of a wheel, how many results ago, unless the figure draws that. */
export function counts(table, figure) {
  const wheel = Boolean(table.wheel || table.rim);
  return whenPictureChanged(["counts", "spins"], ({ counts: all, spins }) => {
    const most = Math.max(1, ...all.map((one) => one.count));
    const node = role("counts");
    node.dataset.many = String(all.length > BESIDE);
    fill(node, ...(figure.sinceDrawn ? [] : all.map((one) => entry(one, one.count / most, wheel))));
    fill(role("extremes"), ...(figure.sinceDrawn && spins >= all.length ? extremes(all) : []));
    setText(role("spins"), `Today: ${results(spins)}${figure.sinceDrawn ? ". Layout: spins since win" : wheel ? ". Spins since last won:" : ""}`);
  });
}

/** The numbers that came most often, and those that have been absent longest, as displays at roulette tables have them. */
function extremes(all) {
  const absent = ({ since }) => since ?? Number.MAX_SAFE_INTEGER;
  const hot = [...all].sort((a, b) => b.count - a.count || absent(a) - absent(b));
  const cold = [...all].sort((a, b) => absent(b) - absent(a));
  const named = (word, numbers) =>
    el("span", { class: word }, el("b", {}, word), ` ${numbers.slice(0, EXTREMES).map((one) => one.label).join("  ")}`);
  return [named("hot", hot), named("cold", cold)];
}

function results(n) {
  return n === 1 ? "1 result" : `${n} results`;
}

function entryTitle({ label, count, since }) {
  return `${label}: ${count} today${since === null ? "" : `, ${results(since)} since`}`;
}

/** `share`: of the most frequent */
function entry(one, share, wheel) {
  const bar = el("i", { class: "bar" });
  bar.style.setProperty("--share", String(share));
  return el(
    "li",
    { title: entryTitle(one) },
    el("b", {}, one.label),
    el("span", {}, one.count),
    wheel && el("span", { class: "since" }, one.since === null ? "–" : `${one.since} ago`),
    bar,
  );
}

/** The shares of groups that exclude each other, each group as one bar. */
export function shares() {
  return whenPictureChanged(["shares", "spins"], ({ shares: groups, spins }) => {
    role("shares").hidden = !groups.length;
    fill(role("shares"), ...groups.map((group) => el("p", { class: "group" }, ...group.map((one) => part(one, spins)))));
  });
}

function part({ label, count }, spins) {
  const percent = spins ? `${Math.round((100 * count) / spins)} %` : "–";
  return el("span", { class: `share ${label}` }, el("b", {}, label), ` ${percent}`);
}
