/** The lines of a sensor head as square waves: a row each, with a block where a line changes too often to be drawn. */

import { el, fill, plain, set, setText, svg } from "./dom.js";

const RUN = /([lhbx])(\d*)/g;
const ROW = 20;
/** Height of a row in the drawing's own units; the wave stands between these two. */
const [TOP, BOTTOM] = [4, 16];
/** What a rising edge of a line is called, where it has a name. */
const RISES = { clapper: ["strike", "strikes"], ball_1: ["pass", "passes"], ball_2: ["pass", "passes"] };

function runsOf(runs) {
  let begin = 0;
  return [...runs.matchAll(RUN)].map(([, letter, length]) => {
    const end = begin + Number(length || 1);
    const run = { letter, begin, end };
    begin = end;
    return run;
  });
}

function counted({ line, edges, rises }) {
  const [one, many] = RISES[line] ?? [];
  return [`${edges} ${edges === 1 ? "edge" : "edges"}`, one ? `${rises} ${rises === 1 ? one : many}` : ""];
}

function named(line) {
  return plain(line.replaceAll("_", " "));
}

/**
 * The paths of one line: its wave, the blocks in which it changes, and where nothing is known.
 *
 * `y`: of its row
 * `end`: the columns that are drawn
 */
function paths(runs, y, first, end) {
  let [wave, blocks, dark] = ["", "", ""];
  const block = (from, to) => `M${from} ${y + TOP}H${to}V${y + BOTTOM}H${from}Z`;
  for (const [i, run] of runs.entries()) {
    const [from, to] = [Math.max(run.begin, first), Math.min(run.end, end)];
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
  const level = (letter) => (letter === "h" ? TOP : BOTTOM);
  if (!after) return `M${x} ${y + level(before)}H${x + 0.5}M${x + 0.5} ${y + TOP}V${y + BOTTOM}`;
  return `M${x} ${y + level(before)}H${x + 0.5}M${x + 0.5} ${y + TOP}V${y + BOTTOM}M${x + 0.5} ${y + level(after)}H${x + 1}`;
}

/** The rows of a recording. */
export class Waves {
  constructor() {
    this.drawing = svg("svg", { class: "waves", preserveAspectRatio: "none", role: "img" });
    this.dark = svg("path", { class: "dark" });
    this.blocks = svg("path", { class: "blocks" });
    this.wave = svg("path", { class: "wave" });
    fill(this.drawing, this.dark, this.blocks, this.wave);
    this.names = el("ul", { class: "names" });
    this.counts = el("ul", { class: "counts" });
    this.rows = [];
    this.recording = null;
    this.first = 0;
    this.end = 1;
  }

  /** The lines, if they are other ones than before. */
  take(recording) {
    if (recording === this.recording) return;
    this.recording = recording;
    const { lines } = recording;
    this.rows = lines.map(({ runs }) => (runsOf(runs)));
    fill(this.names, ...lines.map(({ line }) => el("li", {}, named(line))));
    fill(this.counts, ...lines.map((line) => el("li", {}, ...counted(line).map((words) => el("span", {}, words)))));
    this.drawing.style.setProperty("--rows", String(lines.length));
    const said = lines.map((line) => `${named(line.line)} ${counted(line).filter(Boolean).join(", ")}`);
    set(this.drawing, { "aria-label": `Signals: ${said.join("; ")}` });
    this.end = -1; // What is drawn is old.
  }

  /** Draw some columns. */
  show(recording, first, end) {
    const same = recording === this.recording && first === this.first && end === this.end;
    if (same) return;
    this.take(recording);
    [this.first, this.end] = [first, end];
    const drawn = this.rows.map((runs, i) => paths(runs, i * ROW, first, end));
    set(this.drawing, { viewBox: `${first} 0 ${Math.max(1, end - first)} ${Math.max(1, this.rows.length) * ROW}` });
    set(this.wave, { d: drawn.map(({ wave }) => wave).join("") });
    set(this.blocks, { d: drawn.map(({ blocks }) => blocks).join("") });
    set(this.dark, { d: drawn.map(({ dark }) => dark).join("") });
  }
}
