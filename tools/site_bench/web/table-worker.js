// @ts-check
/** Runs the table: Python, the package and its libraries, in a thread of its own. */

import { loadPyodide } from "./pyodide/pyodide.mjs";

/** @typedef {{ask(method: string, target: string, kind: string, body: string, post: (text: string) => void): number, leave(number: number): void, close(): void}} Table */
/** @typedef {{method: string, target: string, kind: string, body: string}} Ask */

const PACKAGES = "/packages";
/** @type {{TableInBrowser: (game: string, seed: number | null) => Table} | null} */
let software = null;
/** @type {Table | null} */
let table = null;

/** @param {object} words */
const say = (words) => postMessage(words);

async function load() {
  const archive = fetch("packages.zip");
  archive.catch(() => {}); // Told below, when it is waited for.
  say({ progress: "Loading Python (1 of 3) ..." });
  const python = await loadPyodide({ indexURL: "./pyodide/" });
  say({ progress: "Loading the table's software (2 of 3) ..." });
  const answer = await archive;
  if (!answer.ok) throw new Error(`packages.zip: ${answer.status}`);
  python.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: PACKAGES });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  software = python.pyimport("site_table");
  say({ names: await (await fetch("games.json")).json() });
}

/** @param {{game: string, seed: number | null}} choice */
function begin({ game, seed }) {
  table?.close();
  say({ progress: "Starting the table (3 of 3) ..." });
  table = software?.TableInBrowser(game, seed) ?? null;
  say({ ready: true });
}

/** @param {Ask} ask @param {MessagePort} port */
function answer({ method, target, kind, body }, port) {
  const asked = table;
  const number = asked?.ask(method, target, kind, body, (text) => port.postMessage(text));
  const leave = () => number !== undefined && asked?.leave(number);
  port.onmessage = leave;
  port.addEventListener("close", leave);
}

addEventListener("message", ({ data, ports }) => {
  const act = async () => {
    if (data.load) await load();
    else if (data.begin) begin(data.begin);
    else answer(data, ports[0]);
  };
  act().catch((error) => say({ failed: error.message }));
});
