/** Sic Bo: the rows of its layout; a wager on one of a kind is the face of a die. */

import { die } from "/assets/die.js";
import { rows } from "/game/rows.js";

export function build(table) {
  return rows(table, (area) => {
    const number = /^one-of-a-kind-(\d)$/.exec(area.area)?.[1];
    // A label of the table's own, from its file, goes before the picture.
    return number && (area.label === number || area.label === area.area) ? die(Number(number)) : null;
  });
}
