// @ts-check
/** The page around a table that runs in this browser: the choice of a game, how far loading is, and the table's pages. */

/** How often the service worker is woken: one that has nothing to do is ended, and with it the pages' event streams. */
const WAKE_MS = 10000;
const id = crypto.randomUUID();
const worker = new Worker("table-worker.js", { type: "module" });
const [progress, games, pages] = [role("progress", HTMLElement), role("games", HTMLElement), role("pages", HTMLIFrameElement)];

/** @template {HTMLElement} T @param {string} name @param {new () => T} kind @returns {T} */
function role(name, kind) {
  const node = document.querySelector(`[data-role="${name}"]`);
  if (!(node instanceof kind)) throw new Error(`no element of the role ${name}`);
  return node;
}

/** `#roulette`, or `#roulette?seed=7`. @returns {{game: string, seed: number | null}} */
function chosen() {
  const [game, query] = location.hash.slice(1).split("?");
  const seed = new URLSearchParams(query).get("seed");
  return { game: game || "dreamcatcher", seed: seed === null ? null : Number(seed) };
}

function begin() {
  const { game, seed } = chosen();
  pages.hidden = true;
  progress.hidden = false;
  worker.postMessage({ begin: { game, seed } });
  for (const link of games.querySelectorAll("a")) {
    if (link.hash === `#${game}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {{names?: {name: string, title: string}[], progress?: string, ready?: boolean, failed?: string}} said */
function hear({ names, progress: words, ready, failed }) {
  if (names) {
    games.replaceChildren(...names.map(({ name, title }) => Object.assign(document.createElement("a"), { href: `#${name}`, textContent: title })));
    addEventListener("hashchange", begin);
    begin();
  }
  if (words) progress.textContent = words;
  if (failed) progress.textContent = `It does not run in this browser: ${failed}`;
  if (ready) {
    progress.hidden = true;
    pages.hidden = false;
    pages.src = `table/${id}/bench?${Date.now()}`;
  }
}

async function start() {
  if (!navigator.serviceWorker) throw new Error("service workers need https, or an address of this computer");
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data.table === id) worker.postMessage(data, [...ports]);
    else ports[0]?.postMessage("null");
  });
  serviceWorker.startMessages();
  const registration = await serviceWorker.register("pages-worker.js", { scope: "table/" });
  await active(registration);
  setInterval(() => registration.active?.postMessage("wake"), WAKE_MS);
  worker.addEventListener("message", ({ data }) => hear(data));
  worker.addEventListener("error", ({ message }) => hear({ failed: message }));
  worker.postMessage({ load: true });
}

/** @param {ServiceWorkerRegistration} registration */
function active(registration) {
  const coming = registration.installing ?? registration.waiting;
  if (!coming) return undefined;
  return new Promise((done) => {
    coming.addEventListener("statechange", () => coming.state === "activated" && done(undefined));
  });
}

start().catch((error) => hear({ failed: error.message }));
