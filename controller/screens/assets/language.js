/**
 * Texts of a page in its language, which its `<html lang>` says. A message's English text is its name; `make docs`
 * writes `words.es.js` from the catalogue of gettext. Python has the same functions in `controller/language`.
 */

const NUMBERS = /(?<= )\d[\d-]*$/;
const code = document.documentElement.lang;
const { messages, form } = code === "en" ? { messages: {}, form: (n) => Number(n !== 1) } : await import(`/assets/words.${code}.js`);

function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** Marks a message that is translated later. */
export function marked(message) {
  return message;
}

/** A message. */
export function tr(message, values = {}) {
  return filled(String(messages[message] ?? message), values);
}

/**
 * A message that another place has in other words, as in short.
 *
 * `context`: where it stands
 */
export function trIn(context, message) {
  return String(messages[`${context}\u0004${message}`] ?? message);
}

/**
 * A message that depends on a number, which stands in the place of `{n}`.
 *
 * `one`: the English text for a single one
 * `many`: for any other number
 */
export function plural(one, many, n, values = {}) {
  const forms = messages[one] ?? [one, many];
  return filled(forms[form(n)], { n, ...values });
}

/** A name of the table, as `big` or `two dice 1-4`, whose message is `two dice {n}`; one without a message stays. */
export function word(name) {
  const numbered = name.replace(NUMBERS, "{n}");
  return name in messages || !(numbered in messages) ? tr(name) : tr(numbered, { n: NUMBERS.exec(name)?.[0] ?? "" });
}

/** Odds of a table's description: `4 to 5`, or several by degree: `1 to 1, 2 to 1 or 3 to 1`. */
export function odds(pays) {
  const all = pays.split(/, | or /).map((one) => {
    const [gain, stake] = one.split(" to ");
    return stake === undefined ? one : tr("{gain} to {stake}", { gain, stake });
  });
  const last = all[all.length - 1];
  return all.length < 2 ? last : tr("{some} or {last}", { some: all.slice(0, -1).join(", "), last });
}
