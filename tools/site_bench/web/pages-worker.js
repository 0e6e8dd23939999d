// @ts-check
/**
 * Answers what the pages of a table request, by asking the page around them, whose worker runs the table.
 *
 * It keeps nothing: a browser may end it at any time and start it again.
 */

/** @typedef {{status: number, headers: [string, string][], body: string | null}} Head */

const self_ = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SCOPE = new URL("table/", self_.location.href).pathname;
const NO_BODY = [204, 304];

self_.addEventListener("install", () => self_.skipWaiting());
self_.addEventListener("activate", (event) => event.waitUntil(self_.clients.claim()));
self_.addEventListener("fetch", (event) => event.respondWith(answered(event)));

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function answered(event) {
  const { request } = event;
  const url = new URL(request.url);
  const page = request.mode === "navigate" ? url : new URL((await self_.clients.get(event.clientId))?.url ?? url);
  const table = page.pathname.slice(SCOPE.length).split("/")[0];
  const within = `${SCOPE}${table}`;
  const path = url.pathname.startsWith(`${within}/`) ? url.pathname.slice(within.length) : url.pathname;
  const ask = { table, method: request.method, target: path + url.search, kind: request.headers.get("content-type") ?? "", body: await request.text() };
  const around = await self_.clients.matchAll({ type: "window", includeUncontrolled: true });
  try {
    return await Promise.any(around.filter((client) => !new URL(client.url).pathname.startsWith(SCOPE)).map((client) => asked(client, ask)));
  } catch {
    return new Response("This table has ended: open the page around it again.\n", { status: 503 });
  }
}

/** @param {WindowClient} client @param {object} ask @returns {Promise<Response>} rejected if the table is not that page's */
function asked(client, ask) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => {
      const head = /** @type {Head | null} */ (JSON.parse(data));
      if (!head) return reject(new Error("another table"));
      const { status, headers, body } = head;
      const stream = body === null ? followed(port1) : NO_BODY.includes(status) ? null : body;
      return resolve(new Response(stream, { status, headers }));
    };
    client.postMessage(ask, [port2]);
  });
}

/** The events that follow. @param {MessagePort} port @returns {ReadableStream<Uint8Array>} */
function followed(port) {
  const text = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      port.onmessage = ({ data }) => {
        const { event, end } = JSON.parse(data);
        if (end) controller.close();
        else controller.enqueue(text.encode(event));
      };
    },
    cancel() {
      port.postMessage("leave");
      port.close();
    },
  });
}
