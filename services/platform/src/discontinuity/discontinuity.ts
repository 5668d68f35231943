import { z } from 'zod'
import { projectionNameOf } from '../read-model/projection-key.ts'

/** Why a consumer can no longer be complete. */
export const discontinuityCauses = [
  /** The event store was restored from an older copy, or is another one. */
  'log-older',
  /** The read model's engine came back with older data in one part and not in another. */
  'read-model-older',
  /** The read model was emptied, or a part of it is gone. */
  'read-model-lost',
  /** The bus no longer holds what the consumer has not handled, and the log cannot be read in its place. */
  'bus-lost',
] as const
export type DiscontinuityCause = (typeof discontinuityCauses)[number]

/** What a detector reports. */
export type FoundDiscontinuity = {
  readonly cause: DiscontinuityCause
  /** What is missing, as a sentence without its full stop: 'events behind position … are missing'. */
  readonly missing: string
}

export const discontinuitySchema = z.object({
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
export const repairOf = ({ consumer, cause }: Pick<Discontinuity, 'consumer' | 'cause'>): string => {
  const projection = cause === 'log-older' ? undefined : projectionOf(consumer)
  return projection === undefined ? 'make replay' : `make replay P=${projection}`
}

/** One line for people: health, `make status`, the log and alerts say the same. */
export const wordsOf = (discontinuity: Discontinuity): string => {
  const { consumer, missing, since, noticedBy } = discontinuity
  return `${consumer} stands still since ${since}: ${missing} (noticed by ${noticedBy}). Run: ${repairOf(discontinuity)}`
}

/** The consumer stands still until it is rebuilt. The message is one line and names the command. */
export class DiscontinuityError extends Error {
  override readonly name = 'DiscontinuityError'
  readonly isUserFacing = true
  readonly discontinuity: Discontinuity
  constructor(discontinuity: Discontinuity) {
    super(wordsOf(discontinuity))
    this.discontinuity = discontinuity
  }
}
