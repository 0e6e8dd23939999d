/** The bench's logic analyser: a sensor head's lines over the last seconds as square waves, held if one likes. */

import { el, fill, plain, role, set, svg, whenChanged } from "./dom.js";

const RUN = /([lhbx])(\d*)/g;
const ROW = 20;
/** Height of a row in the drawing's own units; the wave stands between these two. */
const [TOP, BOTTOM] = [4, 16];

export function signals(table) {
  const parts = ["dark", "blocks", "wave"].map((name) => svg("path", { class: name }));
  const drawing = svg("svg", { class: "waves", preserveAspectRatio: "none", role: "img" }, ...parts);
  const [names, rates] = [el("ul", { class: "names" }), el("ul", { class: "counts" })];
  const [base, hold] = [role("time-base"), role("hold")];
  const held = () => hold.getAttribute("aria-pressed") === "true";
  let newest = [];
  fill(role("scope"), names, drawing, rates);

  const draw = whenChanged(({ lines, seconds }) => {
    const rows = lines.map(({ runs }) => runsOf(runs));
    const end = rows[0].at(-1).end;
    const first = Math.max(0, end - (seconds * 1000) / table.column_ms);
    const drawn = rows.map((runs, i) => paths(runs, i * ROW, first));
    set(drawing, { viewBox: `${first} 0 ${end - first} ${rows.length * ROW}` });
    parts.forEach((path) => set(path, { d: drawn.map((row) => row[path.getAttribute("class")]).join("") }));
    drawing.style.setProperty("--rows", String(rows.length));
    fill(names, ...lines.map(({ line }) => el("li", {}, named(line))));
  });
  const count = whenChanged((lines) => {
    const words = lines.map(({ level, rate }) => `${level ? "high" : "low"}, ${rate}/s`);
    fill(rates, ...words.map((one) => el("li", {}, one)));
    set(drawing, { "aria-label": `Signals: ${lines.map(({ line }, i) => `${named(line)} ${words[i]}`).join("; ")}` });
  });
  hold.addEventListener("click", () => set(hold, { "aria-pressed": String(!held()) }));
  return ({ bench }) => {
    if (!held()) newest = bench?.signals ?? [];
    role("signals").hidden = !newest.length;
    if (!newest.length) return;
    draw({ lines: newest.map(({ line, runs }) => ({ line, runs })), seconds: Number(base.value) });
    count(newest);
  };
}

function named(line) {
  return plain(line.replaceAll("_", " "));
}

function runsOf(runs) {
  let begin = 0;
  return [...runs.matchAll(RUN)].map(([, letter, length]) => {
    const end = begin + Number(length || 1);
    const run = { letter, begin, end };
    begin = end;
    return run;
  });
}

/**
 * The paths of one line: its wave, the blocks in which it changes, and where nothing is known.
 *
 * `y`: of its row
 * `first`: the first column that is drawn
 */
function paths(runs, y, first) {
  let [wave, blocks, dark] = ["", "", ""];
  const block = (from, to) => `M${from} ${y + TOP}H${to}V${y + BOTTOM}H${from}Z`;
  for (const [i, run] of runs.entries()) {
    const [from, to] = [Math.max(run.begin, first), run.end];
    if (from >= to) continue;
    if (run.letter === "x") dark += block(from, to);
    else if (run.letter === "b") {
      if (run.end - run.begin > 1) blocks += block(from, to);
      else wave += single(runs[i - 1]?.letter, runs[i + 1]?.letter, run.begin, y);
    } else wave += `M${from} ${y + (run.letter === "h" ? TOP : BOTTOM)}H${to}`;
  }
  return { wave, blocks, dark };
}

/** A column with one edge, or with a pulse; the levels beside it go up to it. */
function single(before, after, x, y) {
  const level = (letter) => y + (letter === "h" ? TOP : BOTTOM);
  const edge = `M${x} ${level(before)}H${x + 0.5}M${x + 0.5} ${y + TOP}V${y + BOTTOM}`;
  return after ? `${edge}M${x + 0.5} ${level(after)}H${x + 1}` : edge;
}
