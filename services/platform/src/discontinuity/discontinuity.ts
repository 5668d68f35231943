import { z } from 'zod'
import { compareAndSet } from '../read-model/compare-and-set.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import { projectionNameOf } from '../read-model/projection-key.ts'

/** Why the data of a consumer can no longer be complete. */
const discontinuityCauses = [
  /** The event store was restored from an older copy, or is another one. */
  'log-older',
  /** One part of the read model returned to older data, and another did not. */
  'read-model-older',
  /** The read model was emptied, or a part of it is gone. */
  'read-model-lost',
  /** The bus has deleted messages that the consumer has not handled, and the process has no event store to read them from. */
  'bus-lost',
] as const
type DiscontinuityCause = (typeof discontinuityCauses)[number]

/** What a detector reports. */
export type FoundDiscontinuity = {
  readonly cause: DiscontinuityCause
  /** What is missing, as a sentence without its full stop: 'events behind position … are missing'. */
  readonly missing: string
}

const discontinuitySchema = z.object({
  /** The halted consumer: 'projection:inbox', 'consumer:auth-follow-up', 'feed:auth', or `wholeLog` for all consumers. */
  consumer: z.string(),
  cause: z.enum(discontinuityCauses),
  missing: z.string(),
  /** ISO 8601. */
  since: z.iso.datetime(),
  /** The process that noticed it. */
  noticedBy: z.string(),
  /** The epoch of the damaged read model. A rebuild makes one with another epoch, which this record does not concern. */
  epoch: z.string().optional(),
})
/** A gap in the messages that a consumer has handled, recorded until the consumer is rebuilt. */
export type Discontinuity = z.infer<typeof discontinuitySchema>

/** Name in place of a consumer's: the log itself is older, which halts every consumer. */
export const wholeLog = 'event-log'

/** The consumer name of a version of a projection. */
export const projectionConsumer = (key: string): string => `projection:${key}`

/** The name of the projection, without its version; undefined for other consumers. */
export const projectionOf = (consumer: string): string | undefined => {
  const prefix = projectionConsumer('')
  return consumer.startsWith(prefix) ? projectionNameOf(consumer.slice(prefix.length)) : undefined
}

const repairCommand = ({ consumer, cause }: Pick<Discontinuity, 'consumer' | 'cause'>): string => {
  const projection = cause === 'log-older' ? undefined : projectionOf(consumer)
  return projection === undefined ? 'make replay' : `make replay P=${projection}`
}

/** The line that health, `make status` and the log show. */
export const describeDiscontinuity = (discontinuity: Discontinuity): string => {
  const { consumer, missing, since, noticedBy } = discontinuity
  return `${consumer} halted since ${since}: ${missing} (noticed by ${noticedBy}). Run: ${repairCommand(discontinuity)}`
}

/** The consumer is halted until it is rebuilt. The message is one line and names the command. */
export class DiscontinuityError extends Error {
  override readonly name = 'DiscontinuityError'
  readonly isUserFacing = true
  readonly discontinuity: Discontinuity
  constructor(discontinuity: Discontinuity) {
    super(describeDiscontinuity(discontinuity))
    this.discontinuity = discontinuity
  }
}

const partition = 'discontinuities'
const projection = 'discontinuities'
const list = 'open'
/** Far more than the portal has consumers. */
const maxRecords = 1_000

/** The recorded discontinuities, in the namespace 'control', which no rebuild touches. */
export type DiscontinuityStore = {
  all(): Promise<readonly Discontinuity[]>
  /** Keeps an earlier record of the same consumer and epoch. Returns the record that is stored. */
  record(found: Discontinuity): Promise<Discontinuity>
  /** Clears the discontinuity. Only a rebuild of these consumers may do so. */
  clear(consumers: readonly string[]): Promise<void>
}

type Control = ReadStore & ProjectionWriter & Checkpoints

/** Changes with every change of the records. Cheaper to poll than the records. */
export const discontinuitiesVersion = (control: Checkpoints): Promise<string | undefined> =>
  control.position(projection, partition)

/** Writes by compare-and-set, so processes that notice a discontinuity at the same time leave one record. */
export const createDiscontinuityStore = (control: Control): DiscontinuityStore => {
  const entryOf = async (consumer: string) => {
    const entry = await control.entry(partition, list, consumer)
    return entry && discontinuitySchema.parse(entry.value)
  }

  return {
    async all() {
      const entries = await control.range(partition, list, { order: 'ascending', limit: maxRecords })
      return entries.map(({ value }) => discontinuitySchema.parse(value))
    },
    async record(found) {
      let known = found
      await compareAndSet(control, { projection, partition }, async (score) => {
        const before = await entryOf(found.consumer)
        known = before !== undefined && before.epoch === found.epoch ? before : found
        if (known !== found) return undefined
        return [{ op: 'add', list, member: found.consumer, score, value: found }]
      })
      return known
    },
    async clear(consumers) {
      if (consumers.length === 0) return
      await compareAndSet(control, { projection, partition }, async () =>
        consumers.map((member) => ({ op: 'remove', list, member })),
      )
    },
  }
}
