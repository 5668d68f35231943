/** How much work a run does. The quick one touches everything and proves only that it runs. */
export type Scale = {
  readonly rounds: number
  readonly roundMs: number
  readonly sockets: number
  readonly sendsPerSecond: number
  readonly fanOutLearners: number
  readonly fanOutOnline: number
  readonly appendsPerRound: number
  readonly inboxSizes: readonly number[]
  readonly memorySockets: number
  /** With ENGINES=1. */
  readonly engineSendsPerSecond: number
  readonly gatewaySockets: number
  readonly gatewaySends: number
  readonly lagMs: number
  readonly lagSendsPerSecond: number
  readonly rebuildEvents: number
  readonly scaledMessages: number
}

export const fullScale: Scale = {
  rounds: 7,
  roundMs: 3_000,
  sockets: 200,
  sendsPerSecond: 100,
  fanOutLearners: 10_000,
  fanOutOnline: 1_000,
  appendsPerRound: 40_000,
  inboxSizes: [10, 1_000, 100_000],
  memorySockets: 5_000,
  engineSendsPerSecond: 25,
  gatewaySockets: 50,
  gatewaySends: 100,
  lagMs: 5_000,
  lagSendsPerSecond: 500,
  rebuildEvents: 200_000,
  scaledMessages: 40_000,
}

export const quickScale: Scale = {
  rounds: 2,
  roundMs: 300,
  sockets: 20,
  sendsPerSecond: 50,
  fanOutLearners: 500,
  fanOutOnline: 50,
  appendsPerRound: 4_000,
  inboxSizes: [10, 500],
  memorySockets: 200,
  engineSendsPerSecond: 25,
  gatewaySockets: 6,
  gatewaySends: 10,
  lagMs: 500,
  lagSendsPerSecond: 100,
  rebuildEvents: 4_000,
  scaledMessages: 2_000,
}
