/** One alert that a person settles: both branches of a fork side by side, the commands that settle it, and what was settled before. */

import { el, fill, role, setText, whenChanged } from "./dom.js";
import { address, alerted, count, synchronise, time } from "./format.js";
import { poll } from "./poll.js";

const EVERY_MS = 5000;
const here = location.pathname;

/** What a person compares of a round, as text; its hash differs in any case. */
function compared(round) {
  return [round.number, round.results, round.voids, round.dealer, round.wheel, round.corrections, round.closed_ms].join("|");
}

/** `others`: what the rounds of the other branch say */
function played(round, others) {
  const words = [round.results.join(", ") || "no result"];
  if (round.voids.length) words.push(`void: ${round.voids.join(", ")}`);
  if (round.corrections) words.push(`${round.corrections} corrected`);
  words.push(round.dealer ? `dealer ${round.dealer}` : "nobody logged on");
  if (round.wheel) words.push(`wheel ${round.wheel}`);
  return el(
    "li",
    { class: others.has(compared(round)) ? "" : "differs" },
    el("b", {}, `round ${round.number}`),
    " ",
    time(round.closed_ms),
    el("p", {}, words.join("; ")),
    el("p", { class: "hash" }, `entries ${round.first} to ${round.seq}, ${round.hash}`),
  );
}

function branch(title, branch, other) {
  const others = new Set(other.rounds.map(compared));
  const rest = branch.total - branch.rounds.length;
  return el(
    "div",
    { class: "branch" },
    el("h3", {}, `${title}: ${branch.total === 1 ? "1 round" : `${branch.total} rounds`}`),
    el("ol", {}, ...branch.rounds.map((round) => played(round, others))),
    rest > 0 && el("p", { class: "explained" }, `and ${rest} further rounds`),
  );
}

const forks = whenChanged((found) => {
  role("forks-part").hidden = !found.length;
  fill(
    role("forks"),
    ...found.map((fork) =>
      el(
        "div",
        { class: "fork" },
        el("p", {}, `They part at entry ${fork.parts} of the record `, el("span", { class: "hash" }, fork.record)),
        el("div", { class: "branches" }, branch("stored first", fork.stored, fork.disputed), branch("kept apart", fork.disputed, fork.stored)),
      ),
    ),
  );
});

const choices = whenChanged(({ choices, ends }) => {
  role("settle-part").hidden = !choices.length;
  fill(role("ends"), ...(ends.length > 1 ? [el("p", {}, "With it all of these end:"), el("ul", { class: "ends" }, ...ends.map((text) => el("li", {}, text)))] : []));
  fill(role("choices"), ...choices.flatMap(({ words, command }) => [el("dt", {}, words), el("dd", {}, el("code", {}, command))]));
});

function settled(one) {
  const did = one.done_ms === null ? " asked for, and not taken up by the floor yet: " : ": ";
  return el("li", {}, el("b", {}, one.person), ", ", time(one.done_ms ?? one.requested_ms), `, ${[one.kind, one.what].filter(Boolean).join(" ")}${did}`, el("q", {}, one.reason), one.outcome && el("p", {}, `→ ${one.outcome}`));
}

function show(found) {
  synchronise(found.utc_ms);
  document.title = `${found.alert.table} – ${found.floor}`;
  fill(role("title"), el("a", { href: address("tables", found.alert.table) }, found.alert.table));
  setText(role("subtitle"), found.floor);
  fill(role("alert"), alerted(found.alert, true, false));
  forks(found.forks);
  choices({ ...found, utc_ms: 0 });
  fill(role("settled"), ...(found.settlements.length ? found.settlements.map(settled) : [el("li", {}, "nothing yet")]));
}

count();
poll(() => `${here}.json`, show, EVERY_MS);
