import type { Logger } from 'pino'
import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/**
 * The only file that names a backend. Adapters are loaded when an address asks for them, so that one machine loads none of
 * the clients of the others.
 */
const addressOf = (url: string): { readonly scheme: string; readonly rest: string } => {
  const colon = url.indexOf(':')
  return { scheme: url.slice(0, Math.max(colon, 0)), rest: url.slice(colon + 1) }
}

// Only the scheme is repeated: an address may hold a password.
const unknownScheme = (variable: string, what: string, scheme: string, known: string): Error =>
  new Error(`${variable}: no ${what} is known by the scheme '${scheme}'; use ${known}`)

/** `sqlite:FILE` */
export const openEventStore = async (url: string): Promise<EventStore> => {
  const { scheme, rest } = addressOf(url)
  if (scheme !== 'sqlite') throw unknownScheme('EVENT_STORE_URL', 'event store', scheme, 'sqlite:FILE')
  if (rest === '') throw new Error("EVENT_STORE_URL: 'sqlite:' names no file")
  const { openSqliteEventStore } = await import('../event-store/sqlite.ts')
  return openSqliteEventStore({ path: rest })
}

/** `sqlite:FOLDER`, with one file per namespace; `memory:` forgets at the end of the process. */
export const openReadModel = async (url: string, namespace: string): Promise<ReadModel> => {
  const { scheme, rest } = addressOf(url)
  if (scheme !== 'sqlite' && scheme !== 'memory') {
    throw unknownScheme('READ_MODEL_URL', 'read model', scheme, 'sqlite:FOLDER or memory:')
  }
  if (scheme === 'sqlite' && rest === '') throw new Error("READ_MODEL_URL: 'sqlite:' names no folder")
  const { openSqliteReadModel } = await import('../read-model/sqlite.ts')
  return openSqliteReadModel({ path: scheme === 'memory' ? ':memory:' : rest, namespace })
}

export type BusParts = {
  readonly eventStore: EventStore
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

/** `memory:` is the bus within one process, as durable as the event store it reads. */
export const openBus = async (url: string, parts: BusParts): Promise<Bus> => {
  const { scheme } = addressOf(url)
  if (scheme !== 'memory') throw unknownScheme('BUS_URL', 'bus', scheme, 'memory:')
  const { openInProcessBus } = await import('../bus/in-process.ts')
  return openInProcessBus(parts)
}
