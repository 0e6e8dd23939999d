/** The table as it is now: its description, then its stream of pictures; and a banner while there is none. */

import { role, setText } from "./dom.js";

const RETRY_MS = 2000;
const SILENCE_MS = 20000;
/** A stream that said nothing for so long is opened anew: a cable that was pulled ends no connection. */
const ANSWER_MS = 5000;
const LOST = "No connection to the table. What is shown is old.";

/**
 * A listener:
 * `stream`: address of the event stream
 * `onTable`: once, before any picture
 */

/** Follow the table. */
export function follow(listener) {
  new Follower(listener).begin();
}

class Follower {
  constructor(listener) {
    this.listener = listener;
    this.described = "";
    this.source = null;
    this.watchdog = 0;
  }

  async begin() {
    let text = "";
    try {
      const answer = await fetch("/table.json", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
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

  /** Build the page; another table or another version needs another page. */
  describe(text) {
    if (this.described === text) return;
    if (this.described) {
      location.reload();
      return;
    }
    this.described = text;
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

  expect(ms, act) {
    clearTimeout(this.watchdog);
    this.watchdog = window.setTimeout(act, ms);
  }

  picture(picture) {
    this.expect(SILENCE_MS, () => this.open());
    document.body.classList.remove("lost");
    role("connection").hidden = true;
    this.listener.onPicture(picture);
    const { state, round, tone, clock_ms: clock } = picture;
    mark({ state, round, tone, clock });
  }

  turn(turn) {
    this.expect(SILENCE_MS, () => this.open());
    this.listener.onTurn?.(turn);
  }

  lost() {
    document.body.classList.add("lost");
    const banner = role("connection");
    banner.hidden = false;
    setText(banner, LOST);
  }
}

/** Say on the body what style sheets go by. */
function mark(marks) {
  for (const [name, value] of Object.entries(marks)) {
    if (value !== undefined) document.body.dataset[name] = String(value);
  }
}
