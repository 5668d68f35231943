import { z } from 'zod'

/** Each context publishes to one topic. */
export const topics = ['auth', 'catalog', 'notifications'] as const
export type Topic = (typeof topics)[number]

/**
 * The envelope of every message on the bus. `position` is the log position of the source event plus the message's
 * index, at a fixed width, so that text order is log order. Consumers use it to detect redeliveries.
 */
export const envelopeSchema = z.object({
  id: z.string(),
  topic: z.enum(topics),
  /** Messages with the same key are delivered in order. */
  key: z.string(),
  position: z.string(),
  type: z.string(),
  /** ISO 8601, when the source event was recorded. */
  at: z.iso.datetime(),
  /** ISO 8601, when the event happened, if that was before it was recorded. */
  occurredAt: z.iso.datetime().optional(),
  correlationId: z.string().optional(),
  /** The user whose request led to the event. Absent in messages of earlier releases. */
  actorId: z.string().optional(),
  /** The API key of that user, if a program made the request. */
  apiKeyId: z.string().optional(),
  /** W3C trace context of the source event, if it was traced. Consumers ignore it. */
  traceparent: z.string().optional(),
  data: z.unknown(),
})
export type Envelope = z.infer<typeof envelopeSchema>

/** The event time, for display and for ages. Consumer lag is measured by `at`. */
export const eventTime = ({ at, occurredAt }: Envelope): string => occurredAt ?? at
