// @ts-check
/** The dealer's screen: what comes next, what is paid, what is wrong. It shows; where a touch screen may act, it acts. */

import { el, fill, plain, role, say } from "./dom.js";
import { follow } from "./live.js";
import { describe, named, whenPictureChanged } from "./parts.js";
import { touch } from "./touch.js";

/** @typedef {import("./types.js").Picture} Picture */

const SIGNS = /** @type {Record<string, string>} */ ({ ok: "✓", silent: "✕", stuck: "✕", noisy: "≋", lossy: "!", gone: "✕" });
/** A sign for each state of a sensor, so that colour is never the only one. */

/** @type {((picture: Picture) => void)[]} */
const shows = [words(), alerts(), pays(), health(), ages()];

follow({
  stream: "/dealer.events",
  onTable(table) {
    describe(table, "dealer");
    touch(table);
  },
  onPicture(picture) {
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
    say(role("refused"), dealer.refused);
    say(role("state"), plain(picture.state));
    say(role("round"), `round ${picture.round}`);
    say(role("entry"), dealer.entry || "–");
    say(role("headline"), picture.headline);
    say(role("detail"), picture.detail);
    say(role("result"), plain(picture.result));
  };
}

function alerts() {
  return whenPictureChanged(["dealer"], ({ dealer }) => {
    const node = role("alerts");
    fill(
      node,
      ...(dealer?.alerts ?? []).map((alert) =>
        el("p", { class: "alert" }, el("b", {}, "⚠ ", alert.text), " ", alert.remedy && el("span", {}, alert.remedy)),
      ),
    );
  });
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
          { class: `device ${one.state}`, "data-device": one.device, title: one.detail || null },
          el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[one.state] ?? "?"),
          el("b", {}, one.device.replaceAll("_", " ")),
          " ",
          el("span", { class: "is" }, one.state === "ok" ? "in order" : one.state),
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
