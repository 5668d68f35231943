import { join } from 'node:path'
import type { BackupsStatus } from '@portal/platform/backup/backups-status'
import type { ErasedKeysOnDisk } from '@portal/platform/operations/scavenge/erased-keys-tally'
import type { ConsumerStatus } from './consumers-status.ts'
import type { EngineStatus } from './engines-status.ts'
import { isLate, type Lag, toleratedLagMs } from './lag.ts'
import type { LogPublisherStatus } from './log-publishers-status.ts'
import { problemsOf, type ProcessStatus } from './processes-status.ts'

export type PortalStatus = {
  readonly isHealthy: boolean
  /** One line per problem. */
  readonly problems: readonly string[]
  readonly engines: readonly EngineStatus[]
  /** The position of the last event. */
  readonly logEnd?: string
  readonly consumers: readonly ConsumerStatus[]
  /** The log publishers; empty if the bus is the log itself. */
  readonly feeds: readonly LogPublisherStatus[]
  readonly processes: readonly ProcessStatus[]
  /** One line for each halted consumer, with the command that rebuilds it. */
  readonly discontinuities: readonly string[]
  /** Absent if they cannot be read. */
  readonly backups?: BackupsStatus
  /** A replay is running or was interrupted. */
  readonly isReplaying: boolean
  /** Keys of erased users that are still on disk. */
  readonly erasedKeys?: ErasedKeysOnDisk
}

type Collected = Omit<PortalStatus, 'isHealthy' | 'problems'> & {
  /** Undefined if unknown, for example if it runs on other machines. */
  readonly isRunning: boolean | undefined
  readonly errors: readonly string[]
}

/** A consumer that catches up is no problem. */
const late = (what: string, lag: Lag): readonly string[] =>
  isLate(lag) && lag.leftMs === undefined ? [`${what} is more than ${toleratedLagMs / 1_000} s behind`] : []

/** Reported by the processes, and found in the log in case no process is reachable. */
const unreadableEvents = ({ processes, feeds, consumers }: Pick<Collected, 'processes' | 'feeds' | 'consumers'>) => [
  ...processes.flatMap(({ health }) => health?.unreadableEvents ?? []),
  ...[...feeds, ...consumers].flatMap(({ lag }) => lag.standsBefore ?? []),
]

const backupProblems = ({ folder, failedCheck, damaged }: BackupsStatus): readonly string[] => [
  ...(failedCheck === undefined
    ? []
    : [
        `The backup ${failedCheck} failed its check, and none has passed since: run make backup, then make backup-check`,
      ]),
  ...(damaged === undefined ? [] : [`The backup ${join(folder, damaged)} is empty or damaged: run make backup`]),
]

/** Derives the problems. Dead letters are not a problem of the portal as a whole, because all other messages are applied. */
export const judge = ({ isRunning, errors, ...collected }: Collected): PortalStatus => {
  const problems = [
    ...(isRunning === false ? ['The portal is not running'] : []),
    ...collected.engines.flatMap(({ engine, status, error }) =>
      status === 'down' ? [`The ${engine} ${engine === 'read models' ? 'are' : 'is'} down: ${error}`] : [],
    ),
    ...errors,
    ...collected.processes.flatMap(problemsOf),
    ...collected.discontinuities,
    ...new Set(unreadableEvents(collected)),
    ...(collected.backups ? backupProblems(collected.backups) : []),
    ...collected.feeds.flatMap(({ service, leader }) =>
      leader === undefined ? [`No process publishes the log of ${service}`] : [],
    ),
    ...collected.feeds.flatMap(({ service, lag }) => late(`The log publisher of ${service}`, lag)),
    ...collected.consumers.flatMap(({ consumer, differsFromLog }) =>
      differsFromLog
        ? [`The last replay found that ${consumer} differs from the log: make replay P=${consumer} shows whose data`]
        : [],
    ),
    ...collected.consumers.flatMap(({ consumer, lag }) => late(`The consumer ${consumer}`, lag)),
  ]
  return { isHealthy: problems.length === 0, problems, ...collected }
}
