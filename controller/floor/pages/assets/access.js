/** Who logged on, was refused, acknowledged, settled and exported: the floor's own record, the newest entries first. */

import { el, field, fill, formOf, plain, role, set, setText, whenChanged } from "./dom.js";
import { poll } from "./poll.js";
import { synchronise, time } from "./format.js";

const EVERY_MS = 5000;
const form = formOf("filter");
let before = 0;
let older = 0;

function query() {
  const person = field(form, "person", HTMLInputElement).value.trim();
  return new URLSearchParams({ person, kind: field(form, "kind", HTMLSelectElement).value, before: `${before}` }).toString();
}

function shown(entry) {
  const cell = (title, ...words) => el("td", { "data-label": title }, ...words);
  const refused = entry.kind.endsWith("refused");
  return el(
    "tr",
    { "data-entry": entry.seq },
    el("th", { scope: "row" }, entry.seq),
    cell("when", time(entry.at_ms)),
    cell("who", entry.person || el("small", {}, refused ? "not known" : "the floor itself")),
    cell("what", el("span", { class: refused ? "mark bad" : "" }, plain(entry.kind))),
    cell("from", entry.origin),
    el("td", { "data-label": "which", class: "wide" }, ...Object.entries(entry.what).map(([name, words]) => el("p", {}, el("small", {}, `${name.replaceAll("_", " ")} `), words))),
  );
}

function verified(chain) {
  if (chain.problem) return ["The record does not verify: ", chain.problem, ". Keep its file, and copy it before anything else."];
  if (chain.verified === chain.total && chain.whole_ms !== null) return [`The record verifies: the ${chain.total === 1 ? "hash of its only entry fits" : `hashes of all ${chain.total} entries fit`}, seen `, time(chain.whole_ms)];
  return [`The record is being verified: ${chain.verified} of ${chain.total} entries fit so far`];
}

const offer = whenChanged((kinds) => {
  const list = field(form, "kind", HTMLSelectElement);
  fill(list, list.options[0], ...kinds.map((kind) => el("option", { value: kind }, plain(kind))));
});

const entries = whenChanged((found) => fill(role("entries"), ...found.map(shown)));

function show(document_) {
  synchronise(document_.utc_ms);
  setText(role("subtitle"), document_.floor);
  document.title = `Access – ${document_.floor}`;
  offer(document_.kinds);
  fill(role("chain"), ...verified(document_.chain));
  set(role("chain"), { class: document_.chain.problem ? "chain failure" : "chain" });
  entries(document_.entries);
  older = document_.before;
  role("older").hidden = !older;
  role("newest").hidden = !before;
  const last = document_.entries.at(-1);
  setText(role("count"), last ? `entries ${document_.entries[0].seq} to ${last.seq}` : older ? `none of them down to entry ${older}; look at older ones` : "no such entry");
}

const ask = poll(() => `/access.json?${query()}`, show, EVERY_MS);

function go(from) {
  before = from;
  ask();
}

form.addEventListener("input", () => go(0));
form.addEventListener("submit", (event) => event.preventDefault());
role("older").addEventListener("click", () => go(older));
role("newest").addEventListener("click", () => go(0));
