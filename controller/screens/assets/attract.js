/** Between rounds, once nothing has happened for a while: how the game goes and what it pays, in the place of the figure. */

import { el, fill, whenChanged } from "./dom.js";

const QUIET_MS = 60000;
/** How long a slide stands: a paragraph is read twice. */
const SLIDE_MS = 10000;
/** States before and between rounds: players wait for nothing. */
const CALM = ["closed", "locating", "bets-open"];

function drawn({ title, text, pays }) {
  const lines = pays.map(({ label, pays: odds }) => el("li", {}, el("b", {}, label), " ", el("span", {}, odds)));
  return [el("h2", { class: "caption" }, title), text ? el("p", {}, text) : el("ul", {}, ...lines)];
}

export function attract(table) {
  const node = el("div", { class: "attract", "data-role": "attract", "data-fit": 2.1, "aria-live": "off", hidden: true });
  let timer = 0;
  let at = 0;

  function next() {
    node.hidden = false;
    fill(node, ...drawn(table.slides[at % table.slides.length]));
    at += 1;
    timer = window.setTimeout(next, SLIDE_MS);
  }

  function leave() {
    clearTimeout(timer);
    node.hidden = true;
    at = 0;
  }

  const changed = whenChanged(([state]) => {
    leave();
    if (CALM.includes(String(state)) && table.slides.length) timer = window.setTimeout(next, QUIET_MS);
  });
  return {
    node,
    update({ state, round, headline, detail, result, lit, turn, limits, history: [newest] }) {
      changed([state, round, headline, detail, result, lit, turn?.moving, limits, newest?.label]);
    },
    /** A wheel turns. */
    leave,
  };
}
