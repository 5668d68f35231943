import { z } from 'zod'

/** When a message was posted, by the clock of the device. Workers of earlier releases do not say it. */
const postedAtMs = z.number().optional()

/**
 * Messages of the push worker to an open page. Without an acknowledgement the worker acts itself: the page of a visitor does
 * not listen. A page that the browser had frozen gets messages when it wakes up, long after the worker has acted itself.
 */
export const workerMessageSchema = z.discriminatedUnion('kind', [
  /** Sent to a visible page. */
  z.object({
    kind: z.literal('push-received'),
    postedAtMs,
    message: z.object({
      notificationId: z.string(),
      title: z.string(),
      body: z.string(),
      url: z.string(),
      /** The language of title and body, if the server says it. */
      lang: z.string().optional(),
    }),
  }),
  z.object({ kind: z.literal('push-opened'), postedAtMs, url: z.string() }),
  z.object({ kind: z.literal('push-subscription-changed') }),
])
export type WorkerMessage = z.infer<typeof workerMessageSchema>
export type ForegroundMessage = Extract<WorkerMessage, { kind: 'push-received' }>['message']

export const acknowledgement = { taken: true } as const
