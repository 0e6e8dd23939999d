/** All tables: totals and active alerts first, then each table in a row. */

import { el, field, fill, formOf, plain, role, set, setText, whenChanged } from "./dom.js";
import { Grid } from "./grid.js";
import { follow } from "./live.js";
import { address, alerted, count, digits, limited, reasons, share, since, synchronise, time } from "./format.js";

const ROWS = 150;
const ALERTS = 6;
const TOTALS = [
  ["tables", "tables"],
  ["online", "online"],
  ["playing", "playing"],
  ["standing_alerts", "alerts"],
  ["rounds", "rounds in the last hour"],
  ["refused", "messages refused"],
];
const BAD = new Set(["standing_alerts", "refused"]);
const form = formOf("filter");
let everyAlert = false;
let last = null;

// -- a table's row ------------------------------------------------------------------------------------------------

/** Whether it can be heard and plays, as a word. */
function connection(row) {
  if (!row.online) return ["offline", "off"];
  return row.running ? ["online", ""] : ["not playing", "idle"];
}

function states(row) {
  const [word, kind] = connection(row);
  const rest = row.online ? row.state_words : null;
  return [
    el("span", { class: `mark ${row.state === "locked" && row.online ? "bad" : kind}` }, word),
    " ",
    rest ?? el("small", {}, "for ", since(row.changed_ms)),
  ];
}

function sensors(row) {
  if (!row.online) return [el("small", {}, "not known")];
  if (!row.health.length) return ["ok"];
  return [el("span", { class: "warn" }, row.health.map((one) => `${plain(one.device)} ${one.state}`).join(", "))];
}

function voids(row) {
  const words = reasons(row.voids);
  return [share(row.void_rate), words && " ", words && el("small", {}, words)];
}

const COLUMNS = [
  {
    name: "table",
    title: "table",
    cell: (row) => [el("a", { href: address("tables", row.table) }, row.table), row.alerts > 0 && " ", row.alerts > 0 && el("span", { class: "mark bad" }, row.alerts === 1 ? "1 alert" : `${row.alerts} alerts`)],
    value: (row) => row.table,
  },
  { name: "game", title: "game", cell: (row) => [row.title], value: (row) => row.title },
  { name: "state", title: "state", cell: states, value: (row) => `${connection(row)[0]} ${row.state_words}` },
  { name: "round", title: "round", kind: "number", cell: (row) => [row.round], value: (row) => row.round },
  { name: "limits", title: "limits", kind: "signs", cell: (row) => limited(row.limits), value: (row) => (row.limits ? Number(row.limits.minimum) : null) },
  {
    name: "results",
    title: "last results",
    kind: "results wide",
    cell: (row) => [row.results.length > 0 && el("ul", {}, ...row.results.slice(0, fits(row.results)).map((label) => el("li", {}, label)))],
    value: (row) => row.results[0] ?? null,
  },
  { name: "rounds", title: "rounds/h", kind: "number", cell: (row) => [row.rounds_an_hour], value: (row) => row.rounds_an_hour },
  { name: "voids", title: "void", kind: "voids", cell: voids, value: (row) => row.void_rate },
  { name: "sensors", title: "sensors", cell: sensors, value: (row) => -row.health.length },
  { name: "dealer", title: "dealer", cell: (row) => [row.dealer || el("small", {}, "–")], value: (row) => row.dealer || null },
  {
    name: "wheel",
    title: "wheel",
    cell: (row) => [row.wheel && el("a", { href: address("wheels", row.wheel) }, row.wheel)],
    value: (row) => row.wheel || null,
  },
];

/** How many results have room in a row. */
function fits(results) {
  const longest = Math.max(...results.map((one) => one.length));
  return Math.max(2, Math.min(10, Math.floor(40 / (longest + 2))));
}

const grid = new Grid({ table: role("grid"), more: role("more"), columns: COLUMNS, key: (row) => row.table, limit: ROWS });
role("grid").classList.add("cards");

// -- which tables -------------------------------------------------------------------------------------------------

const WHICH = {
  alerts: (row) => row.alerts > 0,
  playing: (row) => row.online && row.running,
  idle: (row) => row.online && !row.running,
  offline: (row) => !row.online,
  sensors: (row) => row.health.length > 0,
  pending: (row) => Boolean(row.limits?.pending),
};

function chosen(name) {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field.value : "";
}

function found(row) {
  const text = chosen("text").trim().toLowerCase();
  const which = WHICH[chosen("which")];
  return (
    (!chosen("game") || row.game === chosen("game")) &&
    (!chosen("state") || row.state === chosen("state")) &&
    (!which || which(row)) &&
    (!text || [row.table, row.title, row.dealer, row.wheel, row.state_words].some((words) => words.toLowerCase().includes(text)))
  );
}

/** Offer in a list what there is; what was chosen stays. */
function offer(name, choices) {
  const list = field(form, name, HTMLSelectElement);
  const previous = list.value;
  const sorted = [...choices].filter(([value]) => value).sort((one, other) => one[1].localeCompare(other[1]));
  fill(list, list.options[0], ...sorted.map(([value, words]) => el("option", { value }, words)));
  list.value = choices.has(previous) ? previous : "";
}

const offerGames = whenChanged((games) => offer("game", new Map(games)));
const offerStates = whenChanged((states) => offer("state", new Map(states)));

function different(rows, pair) {
  return [...new Map(rows.map(pair))].sort();
}

function tables() {
  if (!last?.tables) {
    setText(role("count"), "the store is being read …");
    return;
  }
  const rows = last.tables.filter(found);
  grid.show(rows);
  setText(role("count"), rows.length === last.tables.length ? `${rows.length} tables` : `${rows.length} of ${last.tables.length} tables`);
}

// -- the rest -----------------------------------------------------------------------------------------------------

const totals = whenChanged((sums) => {
  if (!sums) return;
  fill(
    role("totals"),
    ...TOTALS.map(([name, words]) =>
      el("div", { class: BAD.has(name) && sums[name] ? "bad" : "", "data-total": name }, el("dt", {}, words), el("dd", {}, digits(sums[name]))),
    ),
  );
});

const alerts = whenChanged(() => {
  if (!last) return;
  const all = last.alerts;
  const active = last.totals?.standing_alerts ?? 0;
  role("alerts-part").hidden = !all.length;
  setText(role("alerts-title"), active === 1 ? "1 active alert" : `${active} active alerts`);
  fill(role("alerts"), ...all.slice(0, everyAlert ? all.length : ALERTS).map((alert) => alerted(alert)));
  const button = role("more-alerts");
  button.hidden = all.length <= ALERTS;
  setText(button, everyAlert ? "fewer alerts" : all.length < active ? `the ${all.length} gravest` : `all ${all.length} alerts`);
});

const refused = whenChanged((rows) => {
  role("refused-part").hidden = !rows.length;
  fill(
    role("refused"),
    ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.table || "no table's"), el("td", {}, plain(row.reason)), el("td", {}, digits(row.count)), el("td", {}, time(row.last_ms)))),
  );
});

const link = whenChanged((now) => {
  const node = role("link");
  set(node, { "data-state": now.connected ? "up" : "lost" });
  const words = now.connected ? `connected to the broker${now.detail ? `; ${now.detail}` : ""}` : `no connection to the broker${now.detail ? `: ${now.detail}` : ""}`;
  fill(node, `${words} for `, since(now.since_utc_ms));
});

function show(picture) {
  synchronise(picture.utc_ms);
  last = picture;
  document.title = `${picture.totals?.standing_alerts ? `(${picture.totals.standing_alerts}) ` : ""}${picture.floor}`;
  setText(role("floor"), picture.floor);
  setText(role("store"), picture.store);
  role("store").hidden = !picture.store;
  // Not its counter of messages, which would be read out again and again.
  link({ ...picture.link, messages: 0 });
  totals(picture.totals);
  alerts([picture.alerts, picture.totals, everyAlert]);
  refused(picture.refused);
  const rows = picture.tables ?? [];
  offerGames(different(rows, (row) => [row.game, row.title]));
  offerStates(different(rows, (row) => [row.state, row.state_words]));
  tables();
}

role("more-alerts").addEventListener("click", () => {
  everyAlert = !everyAlert;
  if (last) alerts([last.alerts, last.totals, everyAlert]);
});
form.addEventListener("input", tables);
form.addEventListener("submit", (event) => event.preventDefault());
count();
follow({
  stream: "/floor.events",
  lost: "No connection to the floor's computer. What is shown is old.",
  onTable: (_) => undefined,
  onPicture: (picture) => show(picture),
});
