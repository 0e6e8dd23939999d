// @ts-check
/** The states, laid out by `make docs`: the ways that 150 simulated rounds took. */

/** @type {import("/assets/types.js").StateDrawing | null} */
export const drawing = {
  width: 430,
  height: 413,
  states: {
    "closed": [282, 12],
    "floor-menu": [282, 59],
    "dice-offered": [282, 106],
    "bets-open": [255, 153],
    "throw": [172, 200],
    "extra-point-throw": [154, 341],
    "no-roll": [134, 247],
    "settling": [209, 247],
    "settled": [309, 294],
    "extra-point-offered": [198, 294],
    "position": [33, 389],
    "correcting": [119, 389],
  },
  ways: [
    ["closed", "floor-menu", "M282 24 C282 31 282 40 282 47"],
    ["floor-menu", "dice-offered", "M282 71 C282 78 282 87 282 94"],
    ["dice-offered", "bets-open", "M275 118 C271 125 266 134 262 141"],
    ["bets-open", "throw", "M234 165 C222 172 205 181 193 188"],
    ["throw", "settling", "M181 212 C187 219 194 228 200 235"],
    ["settling", "settled", "M233 259 C249 266 269 275 284 282"],
    ["settled", "bets-open", "M305 282 C295 256 270 192 259 165"],
    ["settled", "dice-offered", "M309 282 C310 256 310 192 297 141 295 133 291 125 288 118"],
    ["settling", "extra-point-offered", "M206 259 C205 266 202 275 201 282"],
    ["extra-point-offered", "extra-point-throw", "M187 306 C180 313 172 322 165 329"],
    ["extra-point-throw", "settling", "M141 329 C128 317 112 297 123 282 129 273 154 264 175 257"],
    ["throw", "no-roll", "M159 212 C153 219 145 228 140 235"],
    ["no-roll", "throw", "M147 235 C154 228 161 219 166 212"],
  ],
};
