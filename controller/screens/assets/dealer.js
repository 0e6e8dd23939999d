/** The dealer's screen: what comes next, what is paid, what is wrong. */

import { choices } from "./choices.js";
import { el, fill, role, setText, whenChanged } from "./dom.js";
import { fitted } from "./fit.js";
import { keyed } from "./keyed.js";
import { follow } from "./live.js";
import { describe, sentences, whenPictureChanged } from "./parts.js";
import { sign, toAnnounce } from "./sign.js";

const SIGNS = { ok: "✓", silent: "✕", stuck: "✕", noisy: "≋", lossy: "!", degraded: "!", open: "!", gone: "✕" };
/** A sign for each state of a sensor, so that colour is never the only one. */

const picture = keyed();
const shows = [words(), picture.show, choices(), alerts(), pays(), health(), ages(), sign(toAnnounce)];

fitted();
follow({
  stream: "/dealer.events",
  onTable(table) {
    describe(table, "dealer");
    picture.describe(table);
  },
  onPicture(now) {
    for (const show of shows) show(now);
  },
});

function words() {
  return (picture) => {
    const { dealer } = picture;
    if (!dealer) return;
    const { act, more } = dealer.task;
    setText(role("next"), act);
    setText(role("more"), sentences(more));
    setText(role("prompt"), dealer.prompt);
    setText(role("asks"), dealer.limits.asks);
    setText(role("refused"), dealer.refused);
    setText(role("dealer"), dealer.dealer && `dealer ${dealer.dealer} ·`);
    setText(role("round"), `round ${picture.round}`);
    setText(role("headline"), picture.headline);
    setText(role("detail"), picture.detail);
  };
}

function alerts() {
  const show = whenChanged((all) =>
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
  return ({ dealer }) => {
    const all = dealer?.alerts ?? [];
    show(all.map(({ text, remedy }) => ({ text, remedy })));
    role("alerts").querySelectorAll("small").forEach((node, i) => setText(node, ago(all[i].age_s)));
  };
}

/** `s`: seconds */
function ago(s) {
  if (s < 60) return `${s} s ago`;
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : `${Math.floor(s / 3600)} h ago`;
}

function pays() {
  return whenPictureChanged(["dealer", "multiplier", "cap"], ({ dealer, multiplier, cap }) => {
    const wins = dealer?.paid ?? [];
    const more = wins.length ? [multiplier > 1 && `multiplied by ${multiplier} already`, cap].filter(Boolean) : [];
    const lines = wins.map(({ area, label, pays: odds, most }) =>
      el("li", { "data-pays": area }, el("b", {}, label), " ", el("span", {}, odds), most && el("small", {}, `max ${most}`)),
    );
    fill(role("pays"), ...lines, ...more.map((text) => el("li", { class: "times" }, text)));
    role("payouts").hidden = !wins.length;
  });
}

/** A line for each device with a fault; the number of those in order. */
function health() {
  return whenPictureChanged(["dealer"], ({ dealer }) => {
    const all = dealer?.health ?? [];
    const name = (one) => one.device.replaceAll("_", " ");
    const good = all.filter((one) => one.state === "ok").map(name);
    fill(
      role("health"),
      ...all
        .filter((one) => one.state !== "ok")
        .map((one) =>
          device(one.state, SIGNS[one.state] ?? "?", el("b", {}, name(one)), " ", el("span", { class: "is" }, one.state), one.detail && el("span", { class: "why" }, one.detail)),
        ),
      good.length > 0 && device("ok", SIGNS.ok, good.length === all.length ? "all devices are in order" : `${good.length} devices are in order`),
    );
  });
}

function device(state, sign, ...parts) {
  return el("li", { class: `device ${state}` }, el("span", { class: "sign", "aria-hidden": "true" }, sign), ...parts);
}

function ages() {
  return whenPictureChanged(["dealer"], ({ dealer }) => {
    const all = dealer?.ages ?? [];
    fill(
      role("ages"),
      ...all.map((one) =>
        el("li", { class: one.warn ? "warn" : "" }, el("b", {}, one.what), ` ${one.age}, `, el("span", {}, one.warn ? `⚠ ${one.left} left` : `${one.left} left`)),
      ),
    );
  });
}
