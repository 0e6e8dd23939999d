// @ts-check
/**
 * What the table sends, as the pages know it. Nothing here runs.
 *
 * @typedef {{area: string, label: string, pays: string}} Win
 * @typedef {{label: string, colour?: string}} Pocket
 * @typedef {{round: number, label: string, colour?: string}} Past
 * @typedef {{label: string, count: number}} Count
 * @typedef {{angle: number, made: number, of: number}} TurnEvent turns along the rim, 0 to 1
 * @typedef {{from: string, on: string, to: string}} Move
 * @typedef {{control: string, label: string, device: string}} Control
 * @typedef {{area: string, label: string, left: number, bottom: number, right: number, top: number, colour: string}} Box
 * @typedef {{fault: string, label: string, targets?: string[], amount: number}} Breakage
 *
 * @typedef {{minimum: string, maximum: string, payout: string}} Amounts decimals; an empty one is none
 * @typedef {Amounts & {at: string, effective_ms: number}} Pending announced, with the time at the table's place
 * @typedef {Amounts & {currency: string, pending: Pending | null}} Limits
 *
 * @typedef {object} Table `/table.json`
 * @property {string} table
 * @property {string} game
 * @property {string} title
 * @property {string} chapter
 * @property {Win[]} areas
 * @property {string[]} lamps
 * @property {"wheel" | "dice" | "roulette" | "football" | "war" | "plain"} figure
 * @property {{name: string, label: string, colour: number}[] | null} wheel
 * @property {Pocket[] | null} rim
 * @property {Box[] | null} boxes
 * @property {{title: string, areas: string[]}[] | null} rows
 * @property {Control[]} controls
 * @property {string[]} states
 * @property {Move[]} moves
 * @property {boolean} bench
 * @property {string} version
 * @property {Breakage[]} [breakages]
 *
 * @typedef {object} Dealer
 * @property {string} next
 * @property {string} prompt
 * @property {string} entry
 * @property {Win[]} pays
 * @property {{device: string, state: string, detail: string}[]} health
 * @property {{what: string, age: string, left: string, warn: boolean}[]} ages
 * @property {{text: string, remedy: string, age_s: number}[]} alerts
 * @property {string} refused
 * @property {string} dealer the number of who has logged on
 * @property {{asks: string, announce: string, file: string}} limits
 *
 * @typedef {{key: string, shift: boolean, short: string, long: string, control: string}} Hint
 *
 * @typedef {object} Bench
 * @property {boolean} powered
 * @property {number} seconds
 * @property {string} notice
 * @property {string[]} faults
 * @property {string[]} burning
 * @property {{angle: number, on_peg: boolean} | null} true
 * @property {{angle: number, ball: number | null, pocket: string} | null} rotor
 * @property {{line: string, level: boolean, rate: number}[]} lines
 * @property {Hint[]} hints
 * @property {{title: string, choices: {key: string, short: string}[], more: boolean} | null} menu
 * @property {{s: number, text: string, tone: string}[]} log
 * @property {{seq: number, round: number, kind: string, words: string}[]} entries
 *
 * @typedef {object} Picture
 * @property {number} clock_ms
 * @property {number} utc_ms
 * @property {string} state
 * @property {number} round
 * @property {string} tone
 * @property {string} headline
 * @property {string} detail
 * @property {string[]} lit
 * @property {Win[]} wins
 * @property {string} result
 * @property {number} multiplier
 * @property {{made: number, of: number} | null} revolutions
 * @property {{angle: number, moving: boolean} | null} turn
 * @property {Limits | null} limits
 * @property {Past[]} history
 * @property {Count[]} counts
 * @property {number} spins
 * @property {any} figure what the game adds
 * @property {Dealer} [dealer]
 * @property {Bench} [bench]
 *
 * @typedef {object} Figure the middle of a screen
 * @property {Element} node
 * @property {Element} [tiles] wager areas that stand apart from it
 * @property {(picture: Picture) => Node[]} [badge] the result, if it is more than a word
 * @property {(picture: Picture) => void} update
 * @property {(turn: TurnEvent) => void} [turn]
 */

export {};
