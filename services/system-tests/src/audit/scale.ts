/** How much of each row is tried. */
export type Scale = {
  readonly learners: number
  readonly requests: number
  readonly packets: number
  readonly hostileTexts: number
  readonly guesses: number
  readonly logInPairs: number
  readonly forgotPairs: number
}

export const fullScale: Scale = {
  learners: 200,
  requests: 20_000,
  packets: 20_000,
  hostileTexts: 200,
  guesses: 10_000,
  logInPairs: 300,
  forgotPairs: 300,
}

export const quickScale: Scale = {
  learners: 24,
  requests: 600,
  packets: 600,
  hostileTexts: 10,
  guesses: 300,
  logInPairs: 30,
  forgotPairs: 30,
}
