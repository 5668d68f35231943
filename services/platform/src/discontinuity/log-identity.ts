import { z } from 'zod'
import type { EventStore } from '../event-store/port.ts'
import { compareAndSet } from '../read-model/compare-and-set.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'

/**
 * The stream that names the first admin. Each portal has one, and its first event has a random id. So that id identifies the portal's log:
 * it is in every copy, backup and move of it, and in no other log.
 */
export const identityStream = 'setup-admin'

/** The id of the first event of `identityStream`. */
export type LogIdentity = string & { readonly __brand: 'LogIdentity' }

/** 'empty': the log has no event. 'unnamed': it has events, such as those of `make seed`, and no first admin yet. */
type FoundLog =
  { readonly kind: 'named'; readonly identity: LogIdentity } | { readonly kind: 'empty' } | { readonly kind: 'unnamed' }

export const readLogIdentity = async (log: Pick<EventStore, 'read' | 'end'>): Promise<FoundLog> => {
  // The only code that makes identities from events.
  for await (const { id } of log.read(identityStream)) return { kind: 'named', identity: id as LogIdentity }
  return { kind: (await log.end()) === 'start' ? 'empty' : 'unnamed' }
}

const owner = 'log-identity'
const documentRef = { partition: owner, collection: owner, key: 'log' } as const
const documentSchema = z.object({ identity: z.uuid().transform((id) => id as LogIdentity) })

type Control = ReadStore & ProjectionWriter & Checkpoints

/** The log that the read models were derived from; undefined if none is recorded. */
export const loadLogIdentity = async (control: Pick<ReadStore, 'get'>): Promise<LogIdentity | undefined> => {
  const stored = await control.get(documentRef)
  return stored === undefined ? undefined : documentSchema.parse(stored).identity
}

/** Replaces a recorded identity only if `isReplacing`. Returns the one that is recorded. */
export const recordLogIdentity = async (
  control: Control,
  identity: LogIdentity,
  { isReplacing }: { readonly isReplacing: boolean },
): Promise<LogIdentity> => {
  let recorded = identity
  const { partition, ...document } = documentRef
  await compareAndSet(control, { projection: owner, partition }, async () => {
    const before = isReplacing ? undefined : await loadLogIdentity(control)
    recorded = before ?? identity
    return before === undefined ? [{ op: 'put', ...document, value: { identity } }] : undefined
  })
  return recorded
}

const emptyPortal = 'To start with an empty portal, see docs/operations.md, "Another event store"'

/** The event store holds another log than the one that the read models were derived from, or none. The message is one line. */
export class ForeignLogError extends Error {
  override readonly name = 'ForeignLogError'
  readonly isUserFacing = true
  // The right store may come back, as when a volume is mounted again.
  readonly isTransient = true
  readonly isWriteRefused = true
  constructor(address: string, found: FoundLog, known: LogIdentity | undefined) {
    super(`${describeForeignLog(address, found, known)}. ${emptyPortal}`)
  }
}

const describeForeignLog = (address: string, found: FoundLog, known: LogIdentity | undefined): string => {
  const check = 'Check the volume or mount of the event store, or restore a backup'
  if (found.kind === 'empty') return `The event store at ${address} is empty, but this portal has data. ${check}`
  const seen = found.kind === 'named' ? found.identity : 'none'
  return `The event store at ${address} is another portal's (identity ${seen}, expected ${known}). ${check}`
}

/** Whether read models of the log `known` must not be used with this one. `hasData`: they were derived from some log. */
export const isForeign = (found: FoundLog, known: LogIdentity | undefined, hasData: boolean): boolean => {
  if (found.kind === 'empty') return hasData
  return known !== undefined && !(found.kind === 'named' && found.identity === known)
}

/** What is wrong with a log that must not be used with the read models of `control`; undefined if nothing is. */
export const findForeignLog = async (
  address: string,
  log: Pick<EventStore, 'read' | 'end'>,
  control: Pick<ReadStore, 'get'>,
): Promise<ForeignLogError | undefined> => {
  const known = await loadLogIdentity(control)
  if (known === undefined) return undefined
  const found = await readLogIdentity(log)
  return isForeign(found, known, true) ? new ForeignLogError(address, found, known) : undefined
}
