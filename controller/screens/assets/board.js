/** The players' screen. It shows only. */

import { attract } from "./attract.js";
import { clock } from "./clock.js";
import { fill, role, setText } from "./dom.js";
import { fitted } from "./fit.js";
import { follow } from "./live.js";
import { describe, results } from "./parts.js";
import { counts, history, shares } from "./past.js";
import { sign } from "./sign.js";
import { build } from "/game/figure.js";

const limits = sign();
const time = clock();
let shows = [];
let middle = null;

fitted();
follow({
  stream: "/board.events",
  onTable(table) {
    describe(table);
    middle = build(table);
    const slides = attract(table);
    fill(role("figure"), middle.node, slides.node);
    fill(role("tiles"), middle.tiles);
    role("tiles").hidden = !middle.tiles;
    role("past-title").closest("section").hidden = table.history === "none";
    role("spins").closest("section").hidden = table.history !== "counts";
    shows = [middle.update, results(table, middle), history(middle), counts(table, middle), shares(), headline, limits, time, slides.update];
  },
  onPicture(picture) {
    for (const show of shows) show(picture);
  },
  onTurn(turn) {
    middle?.turn?.(turn);
  },
});

function headline(picture) {
  setText(role("headline"), picture.headline);
  setText(role("detail"), picture.detail);
}
