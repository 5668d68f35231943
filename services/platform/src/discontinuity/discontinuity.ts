import { z } from 'zod'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import { projectionNameOf } from '../read-model/projection-key.ts'

/** Why a consumer can no longer be complete. */
const discontinuityCauses = [
  /** The event store was restored from an older copy, or is another one. */
  'log-older',
  /** The read model's engine came back with older data in one part and not in another. */
  'read-model-older',
  /** The read model was emptied, or a part of it is gone. */
  'read-model-lost',
  /** The bus no longer holds what the consumer has not handled, and the log cannot be read in its place. */
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
  /** Who stands still: 'projection:inbox', 'consumer:auth-follow-up', 'feed:auth'; `wholeLog` for all that read the log. */
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
/** A gap in what a consumer has handled, on record until the consumer is rebuilt. */
export type Discontinuity = z.infer<typeof discontinuitySchema>

/** In place of a consumer: the log itself went back, so that all who read it stand still. */
export const wholeLog = 'event-log'

/** How a version of a projection is called among the consumers. */
export const projectionConsumer = (key: string): string => `projection:${key}`

/** The name of the projection, of whichever version; undefined for other consumers. */
export const projectionOf = (consumer: string): string | undefined => {
  const prefix = projectionConsumer('')
  return consumer.startsWith(prefix) ? projectionNameOf(consumer.slice(prefix.length)) : undefined
}

/** The command that repairs it. */
const repairOf = ({ consumer, cause }: Pick<Discontinuity, 'consumer' | 'cause'>): string => {
  const projection = cause === 'log-older' ? undefined : projectionOf(consumer)
  return projection === undefined ? 'make replay' : `make replay P=${projection}`
}

/** One line for people: health, `make status`, the log and alerts say the same. */
export const describeDiscontinuity = (discontinuity: Discontinuity): string => {
  const { consumer, missing, since, noticedBy } = discontinuity
  return `${consumer} stands still since ${since}: ${missing} (noticed by ${noticedBy}). Run: ${repairOf(discontinuity)}`
}

/** The consumer stands still until it is rebuilt. The message is one line and names the command. */
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
const keeper = 'discontinuities'
const list = 'open'
/** One for each consumer of the portal; far more than there are. */
const most = 1_000
const attemptsOnConflict = 20

/** Discontinuities on record, in the namespace 'control', which no rebuild touches. */
export type DiscontinuityStore = {
  all(): Promise<readonly Discontinuity[]>
  /** The first of a consumer's read model stays on record; the answer is the one that does. */
  record(found: Discontinuity): Promise<Discontinuity>
  /** For a rebuild of the consumer, and nothing else. */
  clear(consumers: readonly string[]): Promise<void>
}

type Control = ReadStore & ProjectionWriter & Checkpoints

/** Another one after each change: cheaper than all of them, to be asked often. */
export const discontinuitiesVersion = (control: Checkpoints): Promise<string | undefined> =>
  control.position(keeper, partition)

/** By compare-and-set: processes that notice at the same time leave one record. */
export const createDiscontinuityStore = (control: Control): DiscontinuityStore => {
  const entryOf = async (consumer: string) => {
    const entry = await control.entry(partition, list, consumer)
    return entry && discontinuitySchema.parse(entry.value)
  }

  const change = async (
    writesAt: (score: number) => Promise<Parameters<Control['commit']>[0]['writes'] | undefined>,
  ) => {
    for (let attempt = 0; attempt < attemptsOnConflict; attempt++) {
      const expected = await control.position(keeper, partition)
      const score = Number(expected ?? '0') + 1
      const writes = await writesAt(score)
      if (writes === undefined) return
      const position = String(score).padStart(12, '0')
      if ((await control.commit({ projection: keeper, partition, expected, position, writes })) === 'committed') return
    }
    throw new Error('The discontinuities on record are being changed too fast')
  }

  return {
    async all() {
      const entries = await control.range(partition, list, { order: 'ascending', limit: most })
      return entries.map(({ value }) => discontinuitySchema.parse(value))
    },
    async record(found) {
      let known = found
      await change(async (score) => {
        const before = await entryOf(found.consumer)
        known = before !== undefined && before.epoch === found.epoch ? before : found
        if (known !== found) return undefined
        return [{ op: 'add', list, member: found.consumer, score, value: found }]
      })
      return known
    },
    async clear(consumers) {
      if (consumers.length === 0) return
      await change(async () => consumers.map((member) => ({ op: 'remove', list, member })))
    },
  }
}
