/** The limits sign: those in effect, and above everything else those that are announced, counted down. */

import { el, fill, role, setText, whenChanged } from "./dom.js";

const MINUTE_MS = 60000;
const LOOK_MS = 1000;

/**
 * An amount as money: `$25,000`, `$2.50`.
 *
 * `amount`: a decimal
 */
export function money(currency, amount) {
  const [whole, part] = amount.split(".");
  return `${currency}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${part ? `.${part.padEnd(2, "0")}` : ""}`;
}

function amounts(currency, { minimum, maximum, payout, steps }) {
  const bound = (word, amount) =>
    el("span", { class: "bound" }, el("small", {}, word), " ", money(currency, amount));
  const range = el("b", { class: "range" }, bound("MIN", minimum), " ", bound("MAX", maximum));
  const most = payout && el("span", { class: "most" }, `pays at most ${money(currency, payout)} a round`);
  const further = steps && el("span", { class: "most" }, steps);
  return [most, further].reduce((shown, part) => (part ? [...shown, document.createTextNode(" "), part] : shown), [range]);
}

/** How long until a moment, for people. */
export function left(ms) {
  if (ms <= 0) return "with the next round";
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (minutes < 60) return `in ${minutes} min`;
  return `in ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The sign.
 *
 * `words`: what is said of announced limits and odds
 */
export function sign(words = announced) {
  let due_ms = 0; // By the table's clock; 0 for nothing announced.
  let ahead_ms = 0; // What the table's clock shows more than this one's.
  let latest;
  const count = () => due_ms && setText(role("left"), left(due_ms - ahead_ms - performance.now()));
  const show = whenChanged(({ limits, odds }) => {
    fill(role("limits"), ...(limits?.minimum ? amounts(limits.currency, limits) : []));
    role("sign").hidden = !limits?.pending && !odds;
    const countdown = limits?.pending && el("strong", { "data-role": "left", "aria-hidden": "true" });
    if (countdown || odds) fill(role("sign"), ...words(latest), ...(countdown ? [" ", countdown] : []));
  });
  setInterval(count, LOOK_MS);
  return (picture) => {
    latest = picture;
    due_ms = picture.limits?.pending?.effective_ms ?? 0;
    ahead_ms = picture.utc_ms - performance.now();
    show({ limits: picture.limits, odds: picture.next_odds ?? "", said: picture.dealer?.limits.announce ?? "" });
    count();
  };
}

function announced({ limits, next_odds }) {
  const odds = next_odds ? [el("span", { class: "from" }, "From the next round"), ` ${next_odds} `] : [];
  const pending = limits?.pending;
  if (!pending) return odds;
  return [...odds, el("span", { class: "from" }, `From ${pending.at}`), " ", ...amounts(pending.currency, pending)];
}

/** What the dealer announces to the patrons. */
export function toAnnounce({ dealer }) {
  return [el("span", { class: "from" }, "Announce to the patrons:"), ` ${dealer?.limits.announce ?? ""}`];
}
