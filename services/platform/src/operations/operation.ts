import { userInfo } from 'node:os'
import { z } from 'zod'
import { deterministicEventId } from '../decider/event-id.ts'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'

/**
 * Records of what operators did. Each has its own stream. The notifications service publishes them for the list of who did what
 * (services/notifications/src/audit). They contain no personal data: users are named by their ids.
 */
export const operationCategory = 'operation'

export const maxReasonChars = 500

/** The system user who ran the command. */
const by = z.string().min(1).max(200)
const reason = z.string().trim().min(1).max(maxReasonChars)
const count = z.number().int().min(0)

/** An operation with an optional reason. */
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
        /** The operator's filter, such as `{stream: 'user-…'}`. */
        filter: z.record(z.string(), z.string()),
        events: count,
        /** The users whose data was decrypted. */
        userIds: z.array(z.string()).max(1_000),
      }),
    }),
  }),
  operationOf('DeadLettersRetried', { projections: z.array(z.string()), limit: count, applied: count, failed: count }),
  operationOf('BackupMade', { file: z.string(), events: count, bytes: count }),
  operationOf('BackupChecked', { file: z.string(), events: count, readModels: count, isGood: z.boolean() }),
  /** `files` were rewritten; `people` is the number of erased users whose keys they held. */
  operationOf('BackupsForgot', { files: z.array(z.string()), people: count }),
  operationOf('ReadModelSwitched', {
    command: z.enum(['replay', 'replay-back']),
    projection: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  operationOf('EventStoreScavenged', {
    /** The address of the users' keys, without credentials. */
    at: z.string(),
    nodes: z.array(z.string()),
    /** Erased keys on disk before the scavenge. */
    erasedKeys: count,
    /** Those after it. Missing if EventStoreDB was still scavenging when the command ended. */
    left: count.optional(),
  }),
  operationOf('BackupRestored', {
    file: z.string(),
    /** ISO 8601, when the backup was made. */
    madeAt: z.iso.datetime(),
    events: count,
    /** Users erased since the backup, who were erased again in the restored log. */
    erased: count,
  }),
  operationOf('AdminMade', {
    userId: z.string(),
    account: z.enum(['existing', 'new']),
    /** Whether the account had the role before, so that only its password was replaced. */
    wasAdmin: z.boolean(),
  }),
  /** Addresses without credentials. */
  operationOf('LogMoved', { from: z.string(), to: z.string(), events: count }),
])
export type Operation = z.infer<typeof operationSchema>

export const identifiedOperationSchema = z.object({ id: z.uuid().toLowerCase(), operation: operationSchema })
/** The id makes recording idempotent. */
export type IdentifiedOperation = z.infer<typeof identifiedOperationSchema>

/** The user who runs this process, for `by`. Falls back to the uid, as in some containers. */
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

/** Records an operation. Idempotent. */
export const appendOperation = async (
  eventStore: Pick<EventStore, 'append'>,
  { id, operation }: IdentifiedOperation,
): Promise<void> => {
  const event = { id: deterministicEventId('operation', id), ...operation }
  const appended = await eventStore.append(streamOf(operationCategory, id), 'any', [event])
  if (appended.kind === 'conflict') throw new Error('The store reported a conflict where none can be')
}
