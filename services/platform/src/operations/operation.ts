import { userInfo } from 'node:os'
import { z } from 'zod'
import { deterministicEventId } from '../decider/event-id.ts'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'

/**
 * What operators do beside the portal's own work, and has to be known afterwards. Recorded on a stream of its own each; no
 * service publishes them, so no consumer sees them. They hold no personal data: people are named by their ids.
 */
const operationCategory = 'operation'

/** As long as a sentence or two. */
export const maxReasonChars = 500

/** The operating system's name of whoever ran the command. */
const by = z.string().min(1).max(200)
const reason = z.string().trim().min(1).max(maxReasonChars)
const count = z.number().int().min(0)

/** An operation with a reason where the operator gave one. */
const operationOf = <const T extends string, W extends z.ZodRawShape>(type: T, what: W) =>
  z.object({ type: z.literal(type), data: z.object({ by, reason: reason.optional(), what: z.object(what) }) })

export const operationSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('PersonalDataShown'),
    data: z.object({
      by,
      reason,
      what: z.object({
        command: z.string(),
        /** What was asked for, as `{stream: 'user-…'}`. */
        filter: z.record(z.string(), z.string()),
        events: count,
        /** Whose sealed data was opened. */
        userIds: z.array(z.string()).max(1_000),
      }),
    }),
  }),
  operationOf('DeadLettersRetried', { projections: z.array(z.string()), limit: count, applied: count, failed: count }),
  operationOf('BackupMade', { file: z.string(), events: count, bytes: count }),
  operationOf('BackupChecked', { file: z.string(), events: count, readModels: count, isGood: z.boolean() }),
  /** `files` were rewritten, and `people` is how many erased people they held keys of. */
  operationOf('BackupsForgot', { files: z.array(z.string()), people: count }),
  operationOf('ReadModelSwitched', {
    command: z.enum(['replay', 'replay-back']),
    projection: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  operationOf('EventStoreScavenged', {
    /** Where the users' keys are, without credentials. */
    at: z.string(),
    nodes: z.array(z.string()),
    /** Erased keys that were on the disk before, and those that still are. */
    erasedKeys: count,
    left: count,
  }),
  operationOf('BackupRestored', {
    file: z.string(),
    /** ISO 8601, when the backup was made. */
    madeAt: z.iso.datetime(),
    events: count,
    /** Users who were erased since, and were erased in the restored log too. */
    erased: count,
  }),
  operationOf('AdminMade', {
    userId: z.string(),
    account: z.enum(['existing', 'new']),
    /** The account was an admin's before: the command only replaced its password. */
    wasAdmin: z.boolean(),
  }),
  /** Places, without credentials. */
  operationOf('LogMoved', { from: z.string(), to: z.string(), events: count }),
])
export type Operation = z.infer<typeof operationSchema>

export const identifiedOperationSchema = z.object({ id: z.uuid().toLowerCase(), operation: operationSchema })
/** The id makes recording it again change nothing. */
export type IdentifiedOperation = z.infer<typeof identifiedOperationSchema>

/** Who runs this process, for `by`. Users without a name, as in some containers, are known by their number. */
export const operatorName = (): string => {
  try {
    return userInfo().username || 'unknown'
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export const isOperationRecorded = async (eventStore: Pick<EventStore, 'read'>, id: string): Promise<boolean> => {
  const stream = eventStore.read(streamOf(operationCategory, id))[Symbol.asyncIterator]()
  const first = await stream.next()
  await stream.return?.()
  return first.done !== true
}

/** Records an operation, once however often it is called. */
export const appendOperation = async (
  eventStore: Pick<EventStore, 'append'>,
  { id, operation }: IdentifiedOperation,
): Promise<void> => {
  const event = { id: deterministicEventId('operation', id), ...operation }
  const appended = await eventStore.append(streamOf(operationCategory, id), 'any', [event])
  if (appended.kind === 'conflict') throw new Error('The store reported a conflict where none can be')
}
