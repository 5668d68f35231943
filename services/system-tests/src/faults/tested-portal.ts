import type { Environment } from '../testing/portal-process.ts'
import type { FaultClock } from './fault-clock.ts'
import type { Volume } from './volume.ts'

/** A portal that a fault is tried on: six processes with their engines, or one. */
export type TestedPortal = {
  readonly address: string
  readonly dataDir: string
  /** For the row's own files. */
  readonly folder: string
  /** What commands need to be told to be about this portal, besides its data folder. */
  readonly settings: Environment
  /** Of the seeded learners. */
  readonly password: string
  /** Those that answer /health. */
  readonly processes: readonly { readonly name: string; readonly health: string }[]
  readonly volume: Volume | undefined
  readonly clock: FaultClock | undefined
  pidOf(name: string): Promise<number>
  /** Why it has ended by itself, in its own last words; undefined while it runs. */
  refusal(): string | undefined
  /** Starts it again where it has ended by itself. */
  startAgain(): Promise<void>
  output(): string
  stop(): Promise<void>
}

export type PortalOptions = {
  readonly learners: number
  readonly volumeMb?: number | undefined
  readonly needsClock?: boolean | undefined
}
