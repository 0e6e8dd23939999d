/** The states, laid out by `make docs`: the ways that 150 simulated rounds took. */

export const drawing = {
  width: 430,
  height: 366,
  states: {
    "locating": [247, 12],
    "bets-open": [247, 59],
    "no-more-bets": [216, 106],
    "respin": [132, 200],
    "bonus": [194, 200],
    "spinning": [194, 153],
    "result": [256, 200],
    "losers-collected": [240, 247],
    "winners-paid": [278, 294],
    "confirming": [40, 342],
    "void-spin": [129, 342],
    "late-no-spin": [224, 342],
    "locked": [309, 342],
  },
  ways: [
    ["locating", "bets-open", "M247 24 C247 31 247 40 247 47"],
    ["bets-open", "no-more-bets", "M239 71 C235 78 229 87 224 94"],
    ["no-more-bets", "spinning", "M211 118 C207 125 203 134 200 141"],
    ["spinning", "result", "M210 165 C219 172 231 181 241 188"],
    ["result", "losers-collected", "M252 212 C250 219 247 228 244 235"],
    ["losers-collected", "winners-paid", "M250 259 C256 266 263 275 269 282"],
    ["winners-paid", "bets-open", "M289 282 C295 276 301 267 305 259 316 235 317 227 317 201 317 152 317 152 317 152 317 117 285 87 264 71"],
    ["spinning", "bonus", "M191 165 C190 172 190 181 191 188"],
    ["bonus", "spinning", "M198 188 C199 181 199 172 198 165"],
    ["spinning", "respin", "M176 165 C166 172 153 181 145 188"],
    ["respin", "spinning", "M152 188 C162 181 174 172 183 165"],
  ],
};
