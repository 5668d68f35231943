import type { Logger } from 'pino'
import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/**
 * The only file that names a backend. Adapters are loaded when their address asks for them, so that one machine needs none of
 * the clients of the others.
 */
const unknown = (what: string, url: string, known: readonly string[]): Error =>
  new Error(`${what}: '${url}' is not an address that is known here; use ${known.join(' or ')}`)

/** 'sqlite:./data/events.db' → './data/events.db'; undefined for another scheme. */
const restOf = (scheme: string, url: string): string | undefined =>
  url.startsWith(`${scheme}:`) ? url.slice(scheme.length + 1).replace(/^\/\/(?=\/|\.)/, '') || undefined : undefined

/** `sqlite:FILE` */
export const openEventStore = async (url: string): Promise<EventStore> => {
  const path = restOf('sqlite', url)
  if (path === undefined) throw unknown('EVENT_STORE_URL', url, ['sqlite:FILE'])
  const { openSqliteEventStore } = await import('../event-store/sqlite.ts')
  return openSqliteEventStore({ path })
}

/** `sqlite:FOLDER` keeps one file per namespace there; `memory:` forgets at the end of the process. */
export const openReadModel = async (url: string, namespace: string): Promise<ReadModel> => {
  const path = url === 'memory:' ? ':memory:' : restOf('sqlite', url)
  if (path === undefined) throw unknown('READ_MODEL_URL', url, ['sqlite:FOLDER', 'memory:'])
  const { openSqliteReadModel } = await import('../read-model/sqlite.ts')
  return openSqliteReadModel({ path, namespace })
}

export type BusParts = {
  readonly eventStore: EventStore
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

/** `memory:` is the bus within one process, as durable as the event store it reads. */
export const openBus = async (url: string, parts: BusParts): Promise<Bus> => {
  if (url !== 'memory:') throw unknown('BUS_URL', url, ['memory:'])
  const { openInProcessBus } = await import('../bus/in-process.ts')
  return openInProcessBus(parts)
}
