import { z } from 'zod'

/**
 * Messages of the push worker to an open page. Without an acknowledgement the worker acts itself: the page of a visitor does
 * not listen.
 */
export const workerMessageSchema = z.discriminatedUnion('kind', [
  /** Sent to a visible page. */
  z.object({
    kind: z.literal('push-received'),
    message: z.object({ notificationId: z.string(), title: z.string(), body: z.string(), url: z.string() }),
  }),
  z.object({ kind: z.literal('push-opened'), url: z.string() }),
  z.object({ kind: z.literal('push-subscription-changed') }),
])
export type WorkerMessage = z.infer<typeof workerMessageSchema>
export type ForegroundMessage = Extract<WorkerMessage, { kind: 'push-received' }>['message']

export const acknowledgement = { taken: true } as const
