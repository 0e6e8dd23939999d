/** A table that can be sorted by its heads; of many rows it draws the first, and more when asked. */

import { el, fill } from "./dom.js";

/**
 * A column:
 * `value`: what it is sorted by
 * `kind`: class of its cells; `number` sorts the largest first
 */

/**
 * The parts:
 * `more`: the button for further rows
 * `columns`: the first one names the row
 * `limit`: rows that are drawn at first
 */

const ORDER = new Intl.Collator("en", { numeric: true });

export class Grid {
  constructor(parts) {
    this.parts = parts;
    this.limit = parts.limit;
    this.rows = [];
    /** By which column; none is the order in which the rows came. */
    this.by = null;
    this.down = false;
    this.drawn = new Map();
    this.body = el("tbody");
    this.heads = parts.columns.map((column) => this.head(column));
    fill(parts.table, el("thead", {}, el("tr", {}, ...this.heads)), this.body);
    parts.more.addEventListener("click", () => {
      this.limit += parts.limit;
      this.draw();
    });
  }

  head(column) {
    const button = el("button", { type: "button", "data-sort": column.name }, column.title);
    button.addEventListener("click", () => this.sort(column));
    return el("th", { scope: "col", class: column.kind }, button);
  }

  /** Sort by a column; again, the other way; a third time, as the rows came. */
  sort(column) {
    const first = column.kind === "number";
    if (this.by !== column) [this.by, this.down] = [column, first];
    else if (this.down === first) this.down = !first;
    else this.by = null;
    this.heads.forEach((head, at) => {
      if (this.parts.columns[at] !== this.by) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", this.down ? "descending" : "ascending");
    });
    this.draw();
  }

  show(rows) {
    this.rows = rows;
    this.draw();
  }

  sorted() {
    const { by, down } = this;
    if (!by) return this.rows;
    const sign = down ? -1 : 1;
    return [...this.rows].sort((one, other) => {
      const [a, b] = [by.value(one), by.value(other)];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === "number" && typeof b === "number" ? a - b : ORDER.compare(String(a), String(b)));
    });
  }

  draw() {
    const rows = this.sorted().slice(0, this.limit);
    const keys = new Set(rows.map(this.parts.key));
    for (const [key, { node }] of this.drawn) {
      if (keys.has(key)) continue;
      node.remove();
      this.drawn.delete(key);
    }
    // Rows that stay are left in the page, so that whoever is in one stays there.
    let next = this.body.firstElementChild;
    for (const row of rows) {
      const node = this.row(row);
      if (node === next) next = node.nextElementSibling;
      else this.body.insertBefore(node, next);
    }
    const left = this.rows.length - rows.length;
    this.parts.more.hidden = left <= 0;
    fill(this.parts.more, `${Math.min(left, this.parts.limit)} more of ${left}`);
  }

  row(row) {
    const key = this.parts.key(row);
    const text = JSON.stringify(row);
    const known = this.drawn.get(key);
    if (known && known.text === text) return known.node;
    const node = known ? known.node : el("tr", { "data-row": key });
    const focused = node.contains(document.activeElement);
    const [first, ...others] = this.parts.columns;
    fill(
      node,
      el("th", { scope: "row", class: first.kind }, ...first.cell(row)),
      ...others.map((column) => el("td", { class: column.kind, "data-label": column.title }, ...column.cell(row))),
    );
    if (focused) node.querySelector("a")?.focus();
    this.drawn.set(key, { node, text });
    return node;
  }
}
