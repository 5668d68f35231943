import { z } from 'zod'
import type { Json } from '../event-store/port.ts'

/** It comes as JSON; whoever listens looks at what it says. */
const json = z.custom<Json>((value) => value !== undefined)

/** What processes send each other. Each hears all of it, and passes over what is not for it. */
export const peerMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), subject: z.string(), message: json }),
  z.object({ kind: z.literal('asked'), subject: z.string(), question: json, from: z.string(), id: z.number() }),
  /** Without an `answer` from those who have none to give, so that nobody waits for them. */
  z.object({ kind: z.literal('answered'), to: z.string(), id: z.number(), answer: json.optional() }),
])
export type PeerMessage = z.infer<typeof peerMessageSchema>
