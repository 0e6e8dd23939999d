// @ts-check
/** Links to what the floor exports as files. */
import { el } from "./dom.js";

export const FORMATS = ["csv", "json", "parquet"];

/**
 * A link for each format.
 * @param {string} what as in the address
 * @param {readonly string[]} formats
 * @param {string | URLSearchParams} query
 * @param {string} [name] as it is shown
 */
export function files(what, formats, query, name = what) {
  return formats.map((kind) => el("a", { href: `/export/${what}.${kind}?${query}` }, `${name}, ${kind === "parquet" ? "Parquet" : kind.toUpperCase()}`));
}
