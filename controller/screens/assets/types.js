// @ts-check
/**
 * What the scripts of several pages know beside the documents that they receive (see tools/types). Nothing here runs.
 *
 * @typedef {import("./documents").TableDescription & Partial<import("./documents").BenchTable>} Table of a bench or of any table
 * @typedef {import("./documents").PictureTimes & import("./documents").Board & Partial<import("./documents").BenchView>} Picture
 *   of any screen: the board's, with what the dealer's screen and the bench have besides
 * @typedef {import("./documents").TurnEvent} TurnEvent
 *
 * @typedef {object} Figure the middle of a screen
 * @property {Element} node
 * @property {Element} [tiles] wager areas that stand apart from it
 * @property {(picture: Picture) => Node[]} [badge] the result, if it is more than a word
 * @property {(past: import("./documents").Past) => Node[]} [past] a past result as large, if it is more than a word
 * @property {(past: import("./documents").Past) => Node[]} [line] a past result in the list of them, if it is more than a word
 * @property {number} [column] how many past results stand in a column beside it; without it some stand in rows below
 * @property {(past: import("./documents").Past) => string} [kind] the class of its box there, if not the result's colour
 * @property {(wins: import("./documents").AreaOdds[]) => import("./documents").AreaOdds[]} [fold] wins that are too many for a list, in fewer lines
 * @property {(picture: Picture) => void} update
 * @property {(turn: TurnEvent) => void} [turn]
 * @property {(moment: {angle: number | null, words: string} | null) => void} [replay] shows a moment that is past until it is null
 *
 * @typedef {object} StateDrawing a state machine as it was laid out (tools/state_drawings.py); pixels from the upper left corner
 * @property {number} width
 * @property {number} height
 * @property {Object<string, [number, number]>} states the middle of each
 * @property {[string, string, string][]} ways those of a round: from, to, and the path between their borders
 *
 * @typedef {{ press: string } | { key: string } | { throw: number } | { ball: number } | { fault: string, target: string, amount: number }
 *   | { mend: true } | { cut: true } | WheelAct} Act what can be done at a bench
 *
 * @typedef {{ fit: number | "plain" } | { calibrate: true } | { wear: number, unit: string, part: string } | { renew: "leather" }
 *   | { bend: number, degrees: number } | { straighten: number } | { remove: number } | { put_back: number }
 *   | { push: number } | { hold: true } | { let_go: true } | { brake: number, seconds: number }} WheelAct at a wheel with a clapper
 */

export {};
