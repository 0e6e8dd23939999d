/** The states, laid out by `make docs`: the ways that 150 simulated rounds took. */

export const drawing = {
  width: 430,
  height: 366,
  states: {
    "locating": [220, 12],
    "bets-open": [220, 59],
    "no-more-bets": [189, 106],
    "respin": [159, 200],
    "spinning": [179, 153],
    "result": [224, 200],
    "losers-collected": [214, 247],
    "winners-paid": [252, 294],
    "confirming": [40, 342],
    "void-spin": [129, 342],
    "late-no-spin": [224, 342],
    "locked": [309, 342],
  },
  ways: [
    ["locating", "bets-open", "M220 24 C220 31 220 40 220 47"],
    ["bets-open", "no-more-bets", "M212 71 C207 78 201 87 196 94"],
    ["no-more-bets", "spinning", "M186 118 C185 125 183 134 181 141"],
    ["spinning", "result", "M190 165 C197 172 206 181 213 188"],
    ["result", "losers-collected", "M221 212 C220 219 218 228 216 235"],
    ["losers-collected", "winners-paid", "M223 259 C229 266 237 275 242 282"],
    ["winners-paid", "bets-open", "M263 282 C268 276 275 267 279 259 290 235 291 227 291 201 291 152 291 152 291 152 291 117 258 87 237 71"],
    ["spinning", "respin", "M170 165 C167 172 163 181 160 188"],
    ["respin", "spinning", "M168 188 C171 181 175 172 178 165"],
  ],
};
