// @ts-check
/** The limits sign: those in effect, and above everything else those that are announced, counted down. */

import { el, fill, role, say, whenChanged } from "./dom.js";

/** @typedef {import("./types.js").Picture} Picture */
/** @typedef {import("./documents").SignLimits} SignLimits */
/** @typedef {import("./documents").SignAmounts} SignAmounts */

const MINUTE_MS = 60000;
const LOOK_MS = 1000;

/** An amount as money: `$25,000`, `$2.50`. @param {string} currency @param {string} amount a decimal */
export function money(currency, amount) {
  const [whole, part] = amount.split(".");
  return `${currency}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${part ? `.${part.padEnd(2, "0")}` : ""}`;
}

/** @param {string} currency @param {SignAmounts} amounts @returns {Node[]} */
function amounts(currency, { minimum, maximum, payout }) {
  const range = el("b", { class: "range" }, `${money(currency, minimum)} – ${money(currency, maximum)}`);
  const most = payout && el("span", { class: "most" }, `pays at most ${money(currency, payout)} a round`);
  return most ? [range, document.createTextNode(" "), most] : [range];
}

/** How long until a moment, for people. @param {number} ms */
export function left(ms) {
  if (ms <= 0) return "now";
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 60 ? `in ${minutes} min` : `in ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The sign.
 * @param {(limits: SignLimits, picture: Picture) => (Node | string)[]} [words] what is said of announced limits
 * @returns {(picture: Picture) => void}
 */
export function sign(words = announced) {
  let due_ms = 0; // By the table's clock; 0 for nothing announced.
  let ahead_ms = 0; // What the table's clock shows more than this one's.
  /** @type {Picture} */
  let latest;
  const count = () => due_ms && say(role("left"), left(due_ms - ahead_ms - performance.now()));
  const show = whenChanged((/** @type {{limits: SignLimits | null, said: string}} */ { limits }) => {
    fill(role("limits"), ...(limits?.minimum ? amounts(limits.currency, limits) : []));
    role("sign").hidden = !limits?.pending;
    if (limits?.pending) fill(role("sign"), ...words(limits, latest), " ", el("strong", { "data-role": "left", "aria-hidden": "true" }));
  });
  setInterval(count, LOOK_MS);
  return (picture) => {
    latest = picture;
    due_ms = picture.limits?.pending?.effective_ms ?? 0;
    ahead_ms = picture.utc_ms - performance.now();
    show({ limits: picture.limits, said: picture.dealer?.limits.announce ?? "" });
    count();
  };
}

/** @param {SignLimits} limits @returns {(Node | string)[]} */
function announced({ currency, pending }) {
  return pending ? [el("span", { class: "from" }, `From ${pending.at}`), " ", ...amounts(currency, pending)] : [];
}

/** What the dealer announces to the patrons. @param {SignLimits} limits @param {Picture} picture */
export function toAnnounce(limits, { dealer }) {
  return [el("span", { class: "from" }, "Announce to the patrons:"), ` ${dealer?.limits.announce ?? ""}`];
}
