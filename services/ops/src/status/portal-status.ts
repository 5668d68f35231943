import type { BackupsStatus } from '@portal/platform/backup/backups-status'
import type { ErasedKeysOnDisk } from '@portal/platform/operations/scavenge/erased-keys-tally'
import type { ConsumerStatus } from './consumers-status.ts'
import type { EngineStatus } from './engines-status.ts'
import type { LogPublisherStatus } from './log-publishers-status.ts'
import { problemsOf, type ProcessStatus } from './processes-status.ts'

/** Beyond this a consumer counts as not keeping up. */
const toleratedLagMs = 60_000

export type PortalStatus = {
  readonly isHealthy: boolean
  /** Why it is not, a line each. */
  readonly problems: readonly string[]
  readonly engines: readonly EngineStatus[]
  /** Position of the last event. */
  readonly logEnd?: string
  readonly consumers: readonly ConsumerStatus[]
  /** Where the bus is not the log's own tail. */
  readonly feeds: readonly LogPublisherStatus[]
  readonly processes: readonly ProcessStatus[]
  /** One line for each halted consumer, with the command that rebuilds it. */
  readonly discontinuities: readonly string[]
  /** Absent where they cannot be looked at. */
  readonly backups?: BackupsStatus
  /** A replay is under way, or was cut off. */
  readonly isReplaying: boolean
  /** Erased users' keys whose bytes a scavenge has not removed from disk yet. */
  readonly erasedKeys?: ErasedKeysOnDisk
}

type Seen = Omit<PortalStatus, 'isHealthy' | 'problems'> & {
  /** Undefined where that cannot be seen from here, as when it runs on other machines. */
  readonly isRunning: boolean | undefined
  readonly errors: readonly string[]
}

const late = (what: string, ms: number): string => `${what} is more than ${Math.floor(ms / 1_000)} s behind`

/** Named by the processes and, where they cannot be asked, found in the log. */
const unreadableEvents = ({ processes, feeds, consumers }: Pick<Seen, 'processes' | 'feeds' | 'consumers'>) => [
  ...processes.flatMap(({ health }) => health?.unreadableEvents ?? []),
  ...[...feeds, ...consumers].flatMap(({ lag }) => lag.standsBefore ?? []),
]

/** What of all that was seen is a problem. Parked messages are none for the portal as a whole: everything else goes on. */
export const judge = ({ isRunning, errors, ...seen }: Seen): PortalStatus => {
  const problems = [
    ...(isRunning === false ? ['The portal is not running'] : []),
    ...seen.engines.flatMap(({ engine, status, error }) =>
      status === 'down' ? [`The ${engine} ${engine === 'read models' ? 'are' : 'is'} down: ${error}`] : [],
    ),
    ...errors,
    ...seen.processes.flatMap(problemsOf),
    ...seen.discontinuities,
    ...new Set(unreadableEvents(seen)),
    ...(seen.backups?.failedCheck === undefined
      ? []
      : [`The newest backup failed its check: ${seen.backups.failedCheck}`]),
    ...seen.feeds.flatMap(({ service, leader }) =>
      leader === undefined ? [`Nobody feeds the bus from ${service}`] : [],
    ),
    ...seen.feeds.flatMap(({ service, lag }) =>
      lag.ms > toleratedLagMs ? [late(`The feed of ${service}`, toleratedLagMs)] : [],
    ),
    ...seen.consumers.flatMap(({ consumer, lag }) =>
      lag.ms > toleratedLagMs ? [late(`The consumer ${consumer}`, toleratedLagMs)] : [],
    ),
  ]
  return { isHealthy: problems.length === 0, problems, ...seen }
}
