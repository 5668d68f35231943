import type { StandalonePortal } from './standalone-portal.ts'
import type { SixProcessPortal } from './six-process-portal.ts'

/** What a row can tell the trial that runs it. */
export type Trial = {
  /**
   * The log goes back to its state of now: what is answered from here until `wentBack` may be gone with it, for every
   * recipient alike.
   */
  copyTaken(): void
  wentBack(): void
  /** Waits until every send in flight is answered, and starts no more. */
  pauseSends(): Promise<void>
  resumeSends(): void
  /** A figure of this row alone, for the table. */
  note(text: string): void
}

type Step<P> = (portal: P, trial: Trial) => Promise<void>

type Fault<P> = {
  /** Breaks something. Sends go on meanwhile. */
  readonly inject: Step<P>
  /** Ends the fault, as the machine or an operator would. Nothing is repaired here: that is health's part. */
  readonly heal: Step<P>
}

export type ScenarioOptions = {
  readonly name: string
  /** The fault, as the first column of the table shows it. */
  readonly title: string
  /** Sockets besides those of the testUsers, ten of them for each learner. */
  readonly crowdSockets?: number
  /** Between two sends of a sender. */
  readonly sendPauseMs?: number
  /** Of the volume that holds the engines, or the one portal's data folder. */
  readonly volumeMb?: number
  /** The processes can be given another time. */
  readonly needsClock?: boolean
}

/** A fault as data: the trial and the report are the same for all. */
export type Scenario = ScenarioOptions &
  (({ readonly where: 'one' } & Fault<StandalonePortal>) | ({ readonly where: 'six' } & Fault<SixProcessPortal>))
