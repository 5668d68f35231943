import type { StandalonePortal } from './standalone-portal.ts'
import type { SixProcessPortal } from './six-process-portal.ts'

/** Callbacks from a scenario to its trial. */
export type Trial = {
  /**
   * A copy of the log is taken now and restored later. Requests answered until `wentBack` may be lost for all
   * recipients alike.
   */
  copyTaken(): void
  wentBack(): void
  /** Stops new sends and waits until those in flight are answered. */
  pauseSends(): Promise<void>
  resumeSends(): void
  /** Adds a note to the row of the table. */
  note(text: string): void
}

type Step<P> = (portal: P, trial: Trial) => Promise<void>

type Fault<P> = {
  /** Injects the fault while sends continue. */
  readonly inject: Step<P>
  /** Ends the fault, as the machine or an operator would. Repairs nothing: that is what /health must ask for. */
  readonly heal: Step<P>
}

export type ScenarioOptions = {
  readonly name: string
  /** Title in the table. */
  readonly title: string
  /** Additional sockets, ten per learner. */
  readonly crowdSockets?: number
  /** Pause between two sends of a sender. */
  readonly sendPauseMs?: number
  /** Size of the volume for the engines, or for the data folder of the standalone portal. */
  readonly volumeMb?: number
  /** Whether clocks of processes can be changed. */
  readonly needsClock?: boolean
}

/** A fault as data, so that all share the same trial and report. */
export type Scenario = ScenarioOptions &
  (({ readonly where: 'one' } & Fault<StandalonePortal>) | ({ readonly where: 'six' } & Fault<SixProcessPortal>))
