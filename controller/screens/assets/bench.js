/** A table on simulated hardware, to play with. */

import { act } from "./ask.js";
import { Analyser } from "./analyser.js";
import { choices, greys } from "./choices.js";
import { guide } from "./guide.js";
import { hands } from "./hands.js";
import { el, fill, plain, role, setText, whenChanged } from "./dom.js";
import { follow } from "./live.js";
import { describe, whenPictureChanged } from "./parts.js";
import { scene } from "./scene.js";
import { sign } from "./sign.js";
import { workshop } from "./workshop.js";

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
    shows = [middle.update, words, wins(), alerts(), lamps(table), lines(), log(), entries(), ways(table), hands(table, does), inspection(does), guide(), choices(), greys(role("controls")), limits];
    const analyser = new Analyser();
    shows.push((picture) => analyser.update(picture));
    if (table.wheel) shows.push(workshop(does));
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
  setText(role("next"), [dealer.task.act, ...dealer.task.more].join("; "));
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

/** What leads on from the present state. */
function ways(table) {
  return whenPictureChanged(["state"], ({ state }) => {
    const moves = table.moves.filter((move) => move.from === state);
    fill(role("ways"), ...moves.map((move) => el("li", {}, `${plain(move.on)} → ${plain(move.to)}`)));
  });
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
  return whenPictureChanged(["lit", "bench"], ({ lit, bench }) => {
    const [commanded, burning] = [new Set(lit), new Set(bench?.burning)];
    const items = table.lamps.map((lamp) => {
      const [on, expected] = [burning.has(lamp), commanded.has(lamp)];
      const sign = on === expected ? (on ? "●" : "○") : "!";
      const state = on === expected ? (on ? "lit" : "dark") : on ? "burns and should not" : "is dark and should burn";
      return el("li", { class: on === expected ? (on ? "on" : "") : "wrong", title: `${lamp} ${state}` }, `${sign} ${names.get(lamp) ?? plain(lamp)}`);
    });
    shownLamps({ items, key: [lit, bench?.burning] });
  });
}

const shownLamps = (() => {
  let last = "";
  return ({ items, key }) => {
    const now = JSON.stringify(key);
    if (now === last) return;
    last = now;
    fill(role("lamps"), ...items);
  };
})();

function lines() {
  const show = whenChanged((all) =>
    fill(
      role("lines"),
      ...all.map((one) =>
        el("tr", {}, el("th", { scope: "row" }, one.line.replaceAll("_", " ")), el("td", {}, one.level ? "high" : "low"), el("td", {}, Math.round(one.rate))),
      ),
    ),
  );
  return ({ bench }) => show(bench?.lines ?? []);
}

function log() {
  const show = whenChanged((all) =>
    below(role("log"), all.map((one) => el("li", { class: `tone-${one.tone}` }, el("small", {}, one.s.toFixed(1)), " ", one.text))),
  );
  return ({ bench }) => show(bench?.log ?? []);
}

function entries() {
  const show = whenChanged((all) =>
    below(role("entries"), all.map((one) => el("li", {}, el("small", {}, `${one.seq} / ${one.round}`), " ", one.words))),
  );
  return ({ bench }) => show(bench?.entries ?? []);
}

/** Show lines with the newest in sight. */
function below(node, items) {
  fill(node, ...items);
  node.scrollTop = node.scrollHeight;
}
