/** A table on simulated hardware, to play with. */

import { act } from "./ask.js";
import { choices } from "./choices.js";
import { guide } from "./guide.js";
import { hands } from "./hands.js";
import { el, fill, plain, role, setText, whenChanged } from "./dom.js";
import { follow } from "./live.js";
import { describe, sentences, whenPictureChanged } from "./parts.js";
import { scene } from "./scene.js";
import { sign } from "./sign.js";
import { signals } from "./signals.js";

const limits = sign();
let shows = [];
let middle = null;

/** Do something; why it cannot be done stands in the status line. */
async function does(body) {
  const { error = "" } = await act("/bench/act", body);
  setText(role("status"), error);
  return error;
}

follow({
  stream: "/bench.events",
  onTable(table) {
    describe(table, "bench");
    middle = scene(table, does);
    fill(role("figure"), middle.node, middle.tiles);
    shows = [middle.update, words, wins(), alerts(), lamps(table), log(), hands(table, does), inspection(does), guide(), choices(), signals(table), limits];
  },
  onPicture(picture) {
    for (const show of shows) show(picture);
  },
  onTurn(turn) {
    middle?.turn?.(turn);
  },
});

function words(picture) {
  const { dealer, bench } = picture;
  if (!dealer || !bench) return;
  setText(role("headline"), picture.headline);
  setText(role("detail"), picture.detail);
  setText(role("next"), sentences([dealer.task.act, ...dealer.task.more]));
  setText(role("prompt"), dealer.prompt);
  setText(role("asks"), dealer.limits.asks);
  setText(role("refused"), dealer.refused);
  setText(role("state"), plain(picture.state));
  setText(role("result"), plain(picture.result));
  setText(role("entry"), dealer.entry && `keyed: ${dealer.entry}`);
  setText(role("seconds"), `${bench.seconds.toFixed(1)} s`);
  role("off").hidden = bench.powered;
  document.body.classList.toggle("dark", !bench.powered);
}

/** The button that does the inspection, while the table waits for one. */
function inspection(does) {
  const button = role("inspect");
  button.addEventListener("click", () => does({ inspect: true }));
  return ({ bench }) => {
    button.hidden = !bench?.inspection;
  };
}

function wins() {
  return whenPictureChanged(["dealer", "cap"], ({ dealer, cap }) => {
    fill(role("wins"), ...(dealer?.paid ?? []).map((win) => el("li", {}, el("b", {}, win.label), " ", win.pays)), cap && el("li", {}, cap));
    const ill = (dealer?.health ?? [])
      .filter((one) => one.state !== "ok")
      .map((one) => el("li", { class: "ill" }, `✕ ${one.device} ${one.state}${one.detail ? `: ${one.detail}` : ""}`));
    fill(
      role("health"),
      ...(ill.length ? ill : [el("li", { class: "well" }, "✓ every device is in order")]),
    );
  });
}

function alerts() {
  return whenPictureChanged(["dealer"], ({ dealer }) => {
    const all = dealer?.alerts ?? [];
    fill(role("alerts"), ...all.map((one) => el("p", { class: "alert" }, el("b", {}, "⚠ ", one.text), " ", one.remedy)));
  });
}

/** Every lamp: what burns, what should. */
function lamps(table) {
  const names = new Map(table.areas.map((area) => [area.area, area.label]));
  const show = whenChanged(({ lit, burns }) => {
    const [commanded, burning] = [new Set(lit), new Set(burns)];
    const items = table.lamps.map((lamp) => {
      const [on, expected] = [burning.has(lamp), commanded.has(lamp)];
      const sign = on === expected ? (on ? "●" : "○") : "!";
      const state = on === expected ? (on ? "lit" : "dark") : on ? "burns and should not" : "is dark and should burn";
      return el("li", { class: on === expected ? (on ? "on" : "") : "wrong", title: `${lamp} ${state}` }, `${sign} ${names.get(lamp) ?? plain(lamp)}`);
    });
    fill(role("lamps"), ...items);
  });
  return ({ lit, bench }) => show({ lit, burns: bench?.burning });
}

/** The newest lines of the log, the last one in sight. */
function log() {
  const node = role("log");
  const show = whenChanged((all) => {
    fill(node, ...all.map(({ s, tone, text }) => el("li", { class: `tone-${tone}` }, el("small", {}, s.toFixed(1)), " ", text)));
    node.scrollTop = node.scrollHeight;
  });
  return ({ bench }) => show(bench?.log ?? []);
}
