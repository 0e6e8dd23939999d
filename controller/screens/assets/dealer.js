// @ts-check
/** The dealer's screen: what comes next, what is paid, what is wrong. It shows; where a touch screen may act, it acts. */

import { el, fill, plain, role, say, whenChanged } from "./dom.js";
import { follow } from "./live.js";
import { describe, named, whenPictureChanged } from "./parts.js";
import { sign, toAnnounce } from "./sign.js";
import { touch } from "./touch.js";

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Picture} Picture */

/** @type {Record<import("./documents").DeviceStatus["state"], string>} */
const SIGNS = { ok: "✓", silent: "✕", stuck: "✕", noisy: "≋", lossy: "!", gone: "✕" };
/** A sign for each state of a sensor, so that colour is never the only one. */

/** @type {((picture: Picture) => void)[]} */
const shows = [words(), alerts(), pays(), health(), ages(), sign(toAnnounce)];

follow({
  stream: "/dealer.events",
  onTable(/** @type {Table} */ table) {
    describe(table, "dealer");
    touch(table);
  },
  onPicture(/** @type {Picture} */ picture) {
    for (const show of shows) show(picture);
  },
});

function words() {
  return (/** @type {Picture} */ picture) => {
    const { dealer } = picture;
    if (!dealer) return;
    say(role("next"), dealer.next);
    role("next").dataset.long = String(dealer.next.length > 70);
    say(role("prompt"), dealer.prompt);
    say(role("asks"), dealer.limits.asks);
    say(role("refused"), dealer.refused);
    say(role("file"), dealer.limits.file);
    say(role("dealer"), dealer.dealer && `dealer ${dealer.dealer} ·`);
    say(role("state"), plain(picture.state));
    say(role("round"), `round ${picture.round}`);
    say(role("entry"), dealer.entry);
    role("keyed").hidden = !dealer.entry;
    say(role("headline"), picture.headline);
    say(role("detail"), picture.detail);
    say(role("result"), plain(picture.result));
  };
}

function alerts() {
  /** @typedef {Pick<import("./documents").AlertLine, "text" | "remedy">} Told */
  const show = whenChanged((/** @type {Told[]} */ all) =>
    fill(
      role("alerts"),
      ...all.map((alert) =>
        el(
          "p",
          { class: "alert" },
          el("b", {}, "⚠ ", alert.text),
          " ",
          alert.remedy && el("span", {}, alert.remedy),
          " ",
          el("small", { "aria-hidden": "true" }), // Who has it read aloud need not hear every second.
        ),
      ),
    ),
  );
  return (/** @type {Picture} */ { dealer }) => {
    const all = dealer?.alerts ?? [];
    show(all.map(({ text, remedy }) => ({ text, remedy })));
    role("alerts").querySelectorAll("small").forEach((node, i) => say(node, ago(all[i].age_s)));
  };
}

/** @param {number} s seconds */
function ago(s) {
  if (s < 60) return `${s} s ago`;
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : `${Math.floor(s / 3600)} h ago`;
}

function pays() {
  return whenPictureChanged(["dealer", "multiplier"], ({ dealer, multiplier }) => {
    const wins = dealer?.pays ?? [];
    fill(role("pays"), ...wins.map((win) => el("li", { "data-pays": win.area }, el("b", {}, named(win)), " ", el("span", {}, win.pays))));
    role("pays").dataset.many = String(wins.length > 6);
    if (multiplier > 1 && wins.length) role("pays").append(el("li", { class: "times" }, `multiplied by ${multiplier} already`));
  });
}

function health() {
  return whenPictureChanged(["dealer"], ({ dealer }) => {
    fill(
      role("health"),
      ...(dealer?.health ?? []).map((one) =>
        el(
          "li",
          { class: `device ${one.state}`, "data-device": one.device },
          el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[one.state] ?? "?"),
          el("b", {}, one.device.replaceAll("_", " ")),
          " ",
          el("span", { class: "is" }, one.state === "ok" ? "in order" : one.state),
          one.detail && one.state !== "ok" && el("span", { class: "why" }, one.detail),
        ),
      ),
    );
  });
}

function ages() {
  return whenPictureChanged(["dealer"], ({ dealer }) => {
    const all = dealer?.ages ?? [];
    role("aging").hidden = !all.length;
    fill(
      role("ages"),
      ...all.map((one) =>
        el("li", { class: one.warn ? "warn" : "" }, el("b", {}, one.what), ` ${one.age}, `, el("span", {}, one.warn ? `⚠ ${one.left} left` : `${one.left} left`)),
      ),
    );
  });
}
