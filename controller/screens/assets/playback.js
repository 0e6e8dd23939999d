/** A round on record, replayed by its address, `/bench#round=N`: its signals, its decisions, the wheel as it turned. */

import { roleOf } from "./analyser.js";
import { get } from "./answers.js";
import { el, fill, role, set, setText } from "./dom.js";

const ADDRESS = /^#round=(.*)$/;
const NUMBER = /^\d{1,15}$/;
const OTHER_WHEEL = "Where the wheel was is not shown in all of it:";
const WHOLE = "0";
const MOST_FRAME_S = 0.25;
/** A page that was out of sight goes on where it was. */

/** How long a round was, in seconds. */
function lasted({ columns, column_ms, decisions }) {
  return Math.max((columns * column_ms) / 1000, decisions.at(-1)?.s ?? 0);
}

export class Playback {
  /** `show`: draws the wheel of that moment */
  constructor(analyser, show) {
    this.analyser = analyser;
    this.show = show;
    this.round = null;
    this.seconds = this.at = this.passed = 0;
    this.playing = false;
    this.last = 0;
    this.live = "8"; // The time base that was chosen before.
    this.play = roleOf("play", HTMLButtonElement);
    this.speed = roleOf("speed", HTMLSelectElement);
    this.whole = el("option", { value: WHOLE }, "whole round");
    analyser.sought = (seconds) => this.seek(seconds);
    this.play.addEventListener("click", () => this.toggle());
    role("live").addEventListener("click", () => this.end());
    window.addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  /** Do what the page's address says. */
  async follow() {
    const [, requested] = ADDRESS.exec(location.hash) ?? [];
    this.stop();
    setText(role("replay-status"), "");
    if (requested === undefined) return;
    const error = await this.open(requested);
    if (location.hash === `#round=${requested}`) setText(role("replay-status"), error);
  }

  /** Open a round; says why not, or nothing. */
  async open(requested) {
    const name = decoded(requested).slice(0, 40);
    if (!NUMBER.test(name)) return `There is no round “${name}”: a round's address ends in its number, as in #round=3.`;
    const found = await get(`/rounds/${name}/signals.json`);
    if (location.hash !== `#round=${requested}`) return ""; // Another one was asked for meanwhile.
    if ("error" in found) return `Round ${name} cannot be replayed: ${found.error}.`;
    if (found.edges === "gone") return `Round ${name} cannot be replayed: its edges are not kept any more, or not yet.`;
    this.begin(found);
    return found.other_wheel ? `${OTHER_WHEEL} round ${name} was played with another file of the table.` : "";
  }

  begin(round) {
    this.round = round;
    this.seconds = lasted(round);
    this.at = 0;
    this.passed = -1;
    const { base } = this.analyser;
    this.live = base.value;
    base.prepend(this.whole);
    base.value = WHOLE;
    this.mark(true);
    setText(role("signals-title"), `Round ${round.round}, replayed`);
    this.draw();
    role("signals").scrollIntoView({ block: "nearest" });
    this.play.focus({ preventScroll: true });
  }

  /** Back to the table as it is, by the address. */
  end() {
    history.replaceState(null, "", location.pathname + location.search);
    this.stop();
  }

  stop() {
    if (!this.round) return;
    this.pause();
    this.round = null;
    this.whole.remove();
    this.analyser.base.value = this.live;
    this.mark(false);
    setText(role("signals-title"), "Signals");
    this.analyser.replay(null);
    this.show(null);
  }

  mark(replaying) {
    document.body.classList.toggle("replaying", replaying);
    role("playback").hidden = role("decided").hidden = !replaying;
    this.analyser.hold.hidden = replaying;
  }

  toggle() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.at >= this.seconds) this.at = 0;
    this.playing = true;
    this.last = performance.now();
    setText(this.play, "Pause");
    requestAnimationFrame((now) => this.frame(now));
  }

  pause() {
    this.playing = false;
    setText(this.play, "Play");
  }

  frame(now) {
    if (!this.playing) return;
    const passed = Math.min(MOST_FRAME_S, Math.max(0, now - this.last) / 1000);
    this.last = now;
    this.at = Math.min(this.seconds, this.at + passed * Number(this.speed.value));
    if (this.at >= this.seconds) this.pause();
    this.draw();
    requestAnimationFrame((next) => this.frame(next));
  }

  seek(seconds) {
    this.at = Math.min(this.seconds, Math.max(0, seconds));
    this.draw();
  }

  draw() {
    const { round, seconds, at } = this;
    if (!round) return;
    this.analyser.replay({ round, seconds, at });
    const angle = round.angles?.[Math.min(round.angles.length - 1, Math.floor((at * 1000) / round.angle_ms))] ?? null;
    this.show({ angle, words: `round ${round.round}, ${at.toFixed(1)} s` });
    const passed = round.decisions.filter(({ s }) => s <= at);
    if (passed.length === this.passed) return;
    this.passed = passed.length;
    const list = role("decided");
    fill(list, ...passed.map(({ s, words }) => el("li", {}, el("small", {}, s.toFixed(1)), " ", words)));
    list.scrollTop = list.scrollHeight;
  }
}

/** `text`: of an address */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The link to the last round that is over. */
export function lastRound() {
  const link = roleOf("replay-last", HTMLAnchorElement);
  return ({ round, result, history }) => {
    const last = Math.max(history[0]?.round ?? 0, result ? round : round - 1);
    link.hidden = last < 1;
    set(link, { href: `#round=${last}` });
    setText(link, `replay round ${last}`);
  };
}
