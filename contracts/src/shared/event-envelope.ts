import { z } from 'zod'

/** The contexts whose facts travel on the bus; each is one topic. */
export const topics = ['auth', 'catalog', 'notifications'] as const
export type Topic = (typeof topics)[number]

/**
 * What every message on the bus carries around its event. `position` is the place of the source event in the
 * event store, with the message's index behind it: fixed width, so that text order is log order. Consumers
 * use it to recognize a redelivery.
 */
export const envelopeSchema = z.object({
  id: z.string(),
  topic: z.enum(topics),
  /** Messages of one key are delivered in order. */
  key: z.string(),
  position: z.string(),
  type: z.string(),
  /** ISO 8601, when the source event was recorded. */
  at: z.iso.datetime(),
  /** ISO 8601, when it happened, where that was before it was recorded. */
  occurredAt: z.iso.datetime().optional(),
  correlationId: z.string().optional(),
  /** W3C trace context of the source event, where its trace is kept. Of no meaning to consumers. */
  traceparent: z.string().optional(),
  data: z.unknown(),
})
export type Envelope = z.infer<typeof envelopeSchema>

/** The time that people are shown and ages are reckoned from. How far a consumer is behind goes by `at`. */
export const eventTime = ({ at, occurredAt }: Envelope): string => occurredAt ?? at
