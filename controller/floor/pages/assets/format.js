/** Formats of the floor's pages: times, amounts, shares and alerts; and what counts by itself from second to second. */

import { el, plain, setText } from "./dom.js";

const KINDS = {
  gap: "record incomplete",
  fork: "record contradicts itself",
  false: "forged message",
  unproven: "not proven",
  record: "new record",
  wheel: "wheel at two tables",
  fairness: "wheel",
  quota: "past its quota",
  house: "two floors of one name",
  clock: "clock",
  group: "not at the group",
};
/** How far the floor's clock is ahead of this one. */
let ahead = 0;
/** Set the floor's clock. */
export function synchronise(utc_ms) {
  ahead = utc_ms - Date.now();
}

export function now() {
  return Date.now() + ahead;
}

/** `2026-11-21 17:42:14` at this place. */
export function time(ms) {
  const at = new Date(ms);
  // Sweden writes the year first, as a record should.
  return el("time", { datetime: at.toISOString() }, at.toLocaleString("sv-SE"));
}

/** `3 min`. */
export function age(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} days`;
}

/** How long ago something was; it goes on by itself. */
export function since(ms) {
  const at = new Date(ms);
  return el("time", { datetime: at.toISOString(), title: at.toLocaleString("sv-SE"), "data-since": ms }, age(now() - ms));
}

/** `29:58`, or that the time has come. */
function left(ms) {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 0) return "now";
  const hours = Math.floor(seconds / 3600);
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, "0");
  return `in ${hours ? `${hours}:` : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long until something; it counts down by itself. */
export function until(ms) {
  const at = new Date(ms);
  return el("time", { datetime: at.toISOString(), title: at.toLocaleString("sv-SE"), "data-until": ms }, left(ms - now()));
}

/** Let everything count that counts by itself. */
export function count() {
  setInterval(() => {
    for (const node of document.querySelectorAll("[data-since]")) setText(node, age(now() - Number(node.getAttribute("data-since"))));
    for (const node of document.querySelectorAll("[data-until]")) setText(node, left(Number(node.getAttribute("data-until")) - now()));
  }, 1000);
}

/** `$10,000`. */
function money(amount, currency) {
  const [whole, part] = amount.split(".");
  return `${currency}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${part ? `.${part}` : ""}`;
}

function range(amounts, currency) {
  const most = amounts.payout ? `, pays at most ${money(amounts.payout, currency)}` : "";
  return `${money(amounts.minimum, currency)} – ${money(amounts.maximum, currency)}${most}`;
}

/** Limits, and the change that is announced. */
export function limited(limits) {
  if (!limits) return [];
  const { pending, currency } = limits;
  const change = pending && el("span", { class: "pending" }, `→ ${range(pending, currency)} `, until(pending.effective_ms));
  return [el("span", {}, range(limits, currency)), " ", change];
}

/** `3.1 %`. */
export function share(part) {
  return part === null ? "–" : `${(part * 100).toFixed(1)}\u00a0%`;
}

export function digits(value) {
  return value === null ? "–" : value.toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Reasons with how often: `sensor 3, between sections 1`. */
export function reasons(counts) {
  return Object.entries(counts)
    .map(([reason, times]) => `${plain(reason)} ${times}`)
    .join(", ");
}

/** The address of a table's or a wheel's page. */
export function address(what, name) {
  if (what === "tables" && name.endsWith("/")) return "/houses"; // A house itself is called so among tables.
  return `/${what}/${encodeURIComponent(name)}`;
}

/** Kinds of alerts that a person settles. */
const SETTLED = new Set(["fork", "gap", "false", "wheel", "group"]);

/** The way to the page that says how to settle an alert, or how it was settled. */
function settling(alert) {
  if (!SETTLED.has(alert.kind)) return null;
  const words = alert.stands ? "settle …" : "how it was settled";
  return el("p", { class: "settling" }, el("a", { href: `/alerts/${alert.id}`, "data-settle": alert.id, "aria-label": `${words} ${alert.table}: ${alert.text}` }, words));
}

/**
 * An alert with its remedy.
 *
 * `named`: whether its table is named
 * `settles`: whether a link leads from it to its own page
 */
export function alerted(alert, named = true, settles = true) {
  const kind = KINDS[alert.kind] ?? "";
  return el(
    "li",
    { class: alert.stands ? "" : "over", "data-alert": alert.id },
    el("b", {}, named ? el("a", { href: address("tables", alert.table) }, alert.table) : kind || `round ${alert.round}`),
    el("div", {}, el("p", {}, alert.text), alert.remedy && el("p", { class: "remedy" }, `→ ${alert.remedy}`), settles && settling(alert)),
    el("small", {}, named && kind ? `${kind}, ` : "", alert.stands ? "" : "over, ", alert.stands ? "for " : "began ", since(alert.at_ms), alert.stands ? "" : " ago"),
  );
}
