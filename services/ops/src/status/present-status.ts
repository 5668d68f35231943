import { printable } from '../output/print.ts'
import { ageText, counted, duration, table } from '../output/format.ts'
import { erasedKeysText } from '../scavenge/erased-keys.ts'
import type { Lag } from './lag.ts'
import type { PortalStatus } from './portal-status.ts'

const eventsOf = ({ events, isAtLeast }: Lag): string => `${events}${isAtLeast ? '+' : ''}`
const timeOf = ({ events, ms }: Lag): string => (events === 0 ? '-' : duration(ms))

/** The lowest position, without its event id. */
const positionIn = (cursors: Readonly<Record<string, string>>): string =>
  Object.values(cursors).toSorted()[0]?.split('#')[0] ?? '-'

const section = (title: string, body: string): readonly string[] => (body === '' ? [] : ['', title, body])

const enginesTable = ({ engines }: PortalStatus): string =>
  table(
    ['engine', 'status', 'latency', 'at'],
    engines.map(({ engine, status, latencyMs, at, error }) => [
      engine,
      status,
      latencyMs === undefined ? '-' : `${latencyMs} ms`,
      error === undefined ? at : `${at}: ${error}`,
    ]),
  )

const consumersTable = ({ consumers }: PortalStatus, isDetailed: boolean): string =>
  table(
    [
      'consumer',
      ...(isDetailed ? ['generation', 'partitions', 'position'] : []),
      'events behind',
      'time behind',
      'dead letters',
    ],
    consumers.map(({ consumer, kind, generation, partitions, position, cursors, lag, parked }) => [
      consumer,
      ...(isDetailed
        ? [
            kind === 'reactor' ? '-' : (generation ?? 'not built yet'),
            partitions ?? '-',
            position ?? positionIn(cursors),
          ]
        : []),
      eventsOf(lag),
      timeOf(lag),
      parked ?? '-',
    ]),
  )

const logPublishersTable = ({ feeds }: PortalStatus, isDetailed: boolean): string =>
  table(
    ['log publisher', 'leader', ...(isDetailed ? ['position'] : []), 'events behind', 'time behind'],
    feeds.map(({ service, leader, position, lag }) => [
      service,
      leader ?? 'none',
      ...(isDetailed ? [position ?? '-'] : []),
      eventsOf(lag),
      timeOf(lag),
    ]),
  )

const processesTable = ({ processes }: PortalStatus): string =>
  table(
    ['process', 'pid', 'status', 'health'],
    processes.map(({ process, pid, status, health }) => [process, pid, status, health?.status ?? '-']),
  )

const erasedKeysLines = ({ erasedKeys }: PortalStatus): readonly string[] =>
  erasedKeys === undefined || erasedKeys.keys === 0
    ? []
    : [`Still on disk: ${erasedKeysText(erasedKeys)}. Remove with make scavenge.`]

const backupsLine = ({ backups }: PortalStatus): readonly string[] => {
  if (backups === undefined) return []
  const { folder, lastGood } = backups
  return lastGood === undefined
    ? [`There is no good backup in ${folder}: run make backup.`]
    : [
        `The last good backup is ${ageText(lastGood.ageMs)}: ${lastGood.file}${lastGood.isInFolder ? '' : `, which is not in ${folder}`}.`,
      ]
}

const sentence = (problem: string): string => (/[.?]$/.test(problem) ? problem : `${problem}.`)

/** Several problems get a line each, because each is a sentence of its own. */
const healthLines = ({ isHealthy, problems }: PortalStatus): readonly string[] => {
  if (isHealthy) return ['Healthy.']
  const [first = '', ...others] = problems.map(sentence)
  return others.length === 0
    ? [`Not healthy: ${first}`]
    : ['Not healthy:', ...[first, ...others].map((one) => `  ${one}`)]
}

/** Late, but no problem. */
const catchingUpLines = ({ feeds, consumers }: PortalStatus): readonly string[] => {
  const line = (what: string, { leftMs }: Lag) =>
    leftMs === undefined ? [] : [`${what} is catching up, ${duration(leftMs)} left.`]
  return [
    ...feeds.flatMap(({ service, lag }) => line(`The log publisher of ${service}`, lag)),
    ...consumers.flatMap(({ consumer, lag }) => line(`The consumer ${consumer}`, lag)),
  ]
}

/** Problems first, then the lag. Details are generations and positions. */
export const statusText = (status: PortalStatus, isDetailed: boolean): string => {
  const deadLetters = status.consumers.reduce((sum, consumer) => sum + (consumer.parked ?? 0), 0)
  const lines = [
    ...healthLines(status),
    ...catchingUpLines(status),
    ...(deadLetters > 0 ? [`${counted(deadLetters, 'dead letter')}: see make dead-letters.`] : []),
    ...backupsLine(status),
    ...(status.isReplaying ? ['A replay is running or was interrupted.'] : []),
    ...erasedKeysLines(status),
    ...section(isDetailed ? `Log, up to ${status.logEnd ?? 'an unknown position'}` : 'Engines', enginesTable(status)),
    ...section('Consumers', consumersTable(status, isDetailed)),
    ...section('Log publishers', logPublishersTable(status, isDetailed)),
    ...section('Processes', processesTable(status)),
  ]
  return lines.map((line) => line.split('\n').map(printable).join('\n')).join('\n')
}
