// @ts-check
/** The states, laid out by `make docs`: the ways that 150 simulated rounds took. */

/** @type {import("/assets/types.js").StateDrawing | null} */
export const drawing = {
  width: 430,
  height: 460,
  states: {
    "closed": [268, 12],
    "shuffle": [268, 106],
    "bets-open": [214, 153],
    "positions": [168, 200],
    "deal": [168, 247],
    "decision": [170, 341],
    "war-deal": [195, 388],
    "settling": [194, 294],
    "settled": [268, 341],
    "floor-menu": [268, 59],
    "correcting": [40, 436],
  },
  ways: [
    ["closed", "floor-menu", "M268 24 C268 31 268 40 268 47"],
    ["floor-menu", "shuffle", "M268 71 C268 78 268 87 268 94"],
    ["shuffle", "bets-open", "M255 118 C246 125 236 134 228 141"],
    ["bets-open", "positions", "M202 165 C195 172 187 181 180 188"],
    ["positions", "deal", "M165 212 C164 219 164 228 165 235"],
    ["deal", "settling", "M175 259 C179 266 184 275 188 282"],
    ["settling", "settled", "M212 306 C224 313 238 322 250 329"],
    ["settled", "bets-open", "M265 329 C255 296 227 198 217 165"],
    ["bets-open", "deal", "M177 158 C159 163 138 171 126 188 120 197 121 202 126 212 131 222 140 229 148 235"],
    ["deal", "positions", "M172 235 C173 228 173 219 172 212"],
    ["settling", "bets-open", "M197 282 C200 266 207 237 210 212 212 196 213 177 214 165"],
    ["settling", "decision", "M185 306 C180 313 176 322 173 329"],
    ["decision", "war-deal", "M176 353 C180 360 185 369 189 376"],
    ["war-deal", "settling", "M201 376 C204 369 208 361 209 353 211 343 211 339 209 329 207 321 204 313 200 306"],
    ["decision", "settling", "M180 329 C184 322 189 313 192 306"],
    ["settling", "shuffle", "M200 282 C204 275 208 267 212 259 233 218 242 209 256 165 261 149 265 130 267 118"],
    ["settled", "shuffle", "M273 329 C279 312 291 278 291 248 291 199 291 199 291 199 291 169 279 135 273 118"],
  ],
};
