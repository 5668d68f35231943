import { z } from 'zod'

/** What processes send each other. Each hears all of it, and passes over what is not for it. */
export const peerMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), subject: z.string(), message: z.json() }),
  z.object({ kind: z.literal('asked'), subject: z.string(), question: z.json(), from: z.string(), id: z.number() }),
  /** Without an `answer` from those who have none to give, so that nobody waits for them. */
  z.object({ kind: z.literal('answered'), to: z.string(), id: z.number(), answer: z.json().optional() }),
])
export type PeerMessage = z.infer<typeof peerMessageSchema>
