import { printable } from '../output/print.ts'
import { table } from '../output/table.ts'
import { duration } from '../output/times.ts'
import type { Lag } from './lag.ts'
import type { PortalStatus } from './portal-status.ts'

const eventsOf = ({ events, isAtLeast }: Lag): string => `${events}${isAtLeast ? '+' : ''}`
const timeOf = ({ events, ms }: Lag): string => (events === 0 ? '-' : duration(ms))

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

const consumersTable = ({ consumers }: PortalStatus): string =>
  table(
    ['consumer', 'generation', 'partitions', 'position', 'events behind', 'time behind', 'parked'],
    consumers.map(({ consumer, kind, generation, partitions, position, cursors, lag, parked }) => [
      consumer,
      kind === 'reactor' ? '-' : (generation ?? 'not built yet'),
      partitions ?? '-',
      position ?? Object.values(cursors).toSorted()[0] ?? '-',
      eventsOf(lag),
      timeOf(lag),
      parked ?? '-',
    ]),
  )

const feedsTable = ({ feeds }: PortalStatus): string =>
  table(
    ['feed', 'led by', 'position', 'events behind', 'time behind'],
    feeds.map(({ service, leader, position, lag }) => [
      service,
      leader ?? 'nobody',
      position ?? '-',
      eventsOf(lag),
      timeOf(lag),
    ]),
  )

const processesTable = ({ processes }: PortalStatus): string =>
  table(
    ['process', 'pid', 'status'],
    processes.map(({ process, pid, status }) => [process, pid, status]),
  )

/** For people: what is wrong first, then where everything stands. */
export const statusText = (status: PortalStatus): string => {
  const parked = status.consumers.reduce((sum, consumer) => sum + (consumer.parked ?? 0), 0)
  const lines = [
    status.isHealthy ? 'Healthy.' : `Not healthy: ${status.problems.join('; ')}.`,
    ...(parked > 0 ? [`${parked} parked messages: see make dead-letters.`] : []),
    ...(status.isReplaying ? ['A replay is under way, or was cut off.'] : []),
    ...section(`Log, up to ${status.logEnd ?? 'an unknown position'}`, enginesTable(status)),
    ...section('Consumers', consumersTable(status)),
    ...section('Feeds', feedsTable(status)),
    ...section('Processes', processesTable(status)),
  ]
  return lines.map((line) => line.split('\n').map(printable).join('\n')).join('\n')
}
