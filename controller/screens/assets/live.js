// @ts-check
/** The table as it is now: its description, then its stream of pictures; and a banner while there is none. */

import { role, setText } from "./dom.js";
import { marked, tr } from "./language.js";
import { logOnAgain } from "./session.js";

/** @typedef {import("./documents").Description} Description */
/** @typedef {import("./documents").Board} Board */
/** @typedef {import("./documents").TurnEvent} TurnEvent */
/** @typedef {Pick<Description, "version"> & Partial<Pick<Description, "figure">>} Described a table, or a floor */
/** @typedef {import("./documents").PictureTimes & Partial<Pick<Board, "state" | "round" | "tone">>} Shown */

const RETRY_MS = 2000;
const SILENCE_MS = 20000;
/** A stream that said nothing for so long is opened anew: a cable that was pulled ends no connection. */
const ANSWER_MS = 5000;
const LOST = marked("No connection to the table. What is shown is old.");

/**
 * @template {Described} Table
 * @template {Shown} Picture
 * @typedef {object} Listener
 * @property {string} stream address of the event stream
 * @property {(table: Table) => void} onTable once, before any picture
 * @property {(picture: Picture) => void} onPicture
 * @property {(turn: TurnEvent) => void} [onTurn]
 * @property {string} [lost] what is said while there is no connection
 */

/**
 * Follow the table.
 * @template {Described} Table
 * @template {Shown} Picture
 * @param {Listener<Table, Picture>} listener
 */
export function follow(listener) {
  new Follower(listener).begin();
}

/**
 * @template {Described} Table
 * @template {Shown} Picture
 */
class Follower {
  /** @param {Listener<Table, Picture>} listener */
  constructor(listener) {
    this.listener = listener;
    this.described = "";
    /** @type {EventSource | null} */
    this.source = null;
    this.watchdog = 0;
  }

  async begin() {
    let text = "";
    try {
      const answer = await fetch("/table.json", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
      if (answer.status === 401) logOnAgain();
      if (!answer.ok) throw new Error(String(answer.status));
      text = await answer.text();
      this.describe(text);
    } catch (error) {
      if (text) throw error; // A table that answered, and a page that cannot draw it.
      this.lost();
      setTimeout(() => this.begin(), RETRY_MS);
      return;
    }
    this.open();
  }

  /** Build the page; another table or another version needs another page. @param {string} text */
  describe(text) {
    if (this.described === text) return;
    if (this.described) {
      location.reload();
      return;
    }
    this.described = text;
    /** @type {Table} */
    const table = JSON.parse(text);
    mark({ figure: table.figure });
    this.listener.onTable(table);
  }

  open() {
    this.close();
    const source = new EventSource(this.listener.stream);
    this.source = source;
    source.addEventListener("picture", (event) => this.picture(JSON.parse(event.data)));
    source.addEventListener("turn", (event) => this.turn(JSON.parse(event.data)));
    source.addEventListener("error", () => this.again());
    this.expect(ANSWER_MS, () => this.again());
  }

  close() {
    clearTimeout(this.watchdog);
    this.source?.close();
    this.source = null;
  }

  /** The stream broke: say so, and begin anew, for the table behind it may be another. */
  again() {
    this.close();
    this.lost();
    setTimeout(() => this.begin(), RETRY_MS);
  }

  /** @param {number} ms @param {() => void} act */
  expect(ms, act) {
    clearTimeout(this.watchdog);
    this.watchdog = window.setTimeout(act, ms);
  }

  /** @param {Picture} picture */
  picture(picture) {
    this.expect(SILENCE_MS, () => this.open());
    document.body.classList.remove("lost");
    role("connection").hidden = true;
    this.listener.onPicture(picture);
    const { state, round, tone, clock_ms: clock } = picture;
    mark({ state, round, tone, clock });
  }

  /** @param {TurnEvent} turn */
  turn(turn) {
    this.expect(SILENCE_MS, () => this.open());
    this.listener.onTurn?.(turn);
  }

  lost() {
    document.body.classList.add("lost");
    const banner = role("connection");
    banner.hidden = false;
    setText(banner, this.listener.lost ?? tr(LOST));
  }
}

/** Say on the body what style sheets go by; a floor has less of it than a table. @param {Record<string, string | number | undefined>} marks */
function mark(marks) {
  for (const [name, value] of Object.entries(marks)) {
    if (value !== undefined) document.body.dataset[name] = String(value);
  }
}
