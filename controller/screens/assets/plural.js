/**
 * One of two texts, by a number, which replaces `{n}`.
 * `values` replace other names in braces.
 */
export function plural(one, many, n, values = {}) {
  const all = { n, ...values };
  return (n === 1 ? one : many).replace(/\{(\w+)\}/g, (place, name) => String(all[name] ?? place));
}
