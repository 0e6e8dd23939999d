// @ts-check
/**
 * Texts of a page in its language, which its `<html lang>` says. A message's English text is its name; `make docs`
 * writes `words.es.js` from the catalogue of gettext. Python has the same functions in `controller/language`.
 */

/** @typedef {Record<string, string | number>} Values what stands in the places of a message's `{names}` */
/** @typedef {{messages: Record<string, string | string[]>, form: (n: number) => number}} Words */

const NUMBERS = /(?<= )\d[\d-]*$/;
const code = document.documentElement.lang;
/** @type {Words} */
const { messages, form } = code === "en" ? { messages: {}, form: (n) => Number(n !== 1) } : await import(`/assets/words.${code}.js`);

/** @param {string} words @param {Values} values */
function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** Marks a message that is translated later. @param {string} message */
export function marked(message) {
  return message;
}

/** A message. @param {string} message @param {Values} [values] */
export function tr(message, values = {}) {
  return filled(String(messages[message] ?? message), values);
}

/** A message that another place has in other words, as in short. @param {string} context where it stands @param {string} message */
export function trIn(context, message) {
  return String(messages[`${context}\u0004${message}`] ?? message);
}

/**
 * A message that depends on a number, which stands in the place of `{n}`.
 * @param {string} one the English text for a single one @param {string} many for any other number @param {number} n @param {Values} [values]
 */
export function plural(one, many, n, values = {}) {
  const forms = messages[one] ?? [one, many];
  return filled(forms[form(n)], { n, ...values });
}

/** A name of the table, as `big` or `two dice 1-4`, whose message is `two dice {n}`; one without a message stays. @param {string} name */
export function word(name) {
  const numbered = name.replace(NUMBERS, "{n}");
  return name in messages || !(numbered in messages) ? tr(name) : tr(numbered, { n: NUMBERS.exec(name)?.[0] ?? "" });
}

/** Odds of a table's description: `4 to 5`, or several by degree: `1 to 1, 2 to 1 or 3 to 1`. @param {string} pays */
export function odds(pays) {
  const all = pays.split(/, | or /).map((one) => {
    const [gain, stake] = one.split(" to ");
    return stake === undefined ? one : tr("{gain} to {stake}", { gain, stake });
  });
  const last = all[all.length - 1];
  return all.length < 2 ? last : tr("{some} or {last}", { some: all.slice(0, -1).join(", "), last });
}
