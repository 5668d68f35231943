import { z } from 'zod'

/**
 * What the push worker says to an open page. It waits for an answer, and does it itself when none comes: a page that is not signed
 * in does not listen.
 */
export const workerMessageSchema = z.discriminatedUnion('kind', [
  /** To a page that somebody is looking at. */
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
