import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Namespace } from 'socket.io'
import { z } from 'zod'
import type { Json } from '../event-store/port.ts'
import type { Peers } from './port.ts'

const event = 'portal:peers'
/** Any JSON; the listener validates it. */
const json = z.custom<Json>((value) => value !== undefined)

/** Every process receives all messages and ignores those for others. The kinds and fields are the wire format. */
const peerMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), subject: z.string(), message: json }),
  z.object({ kind: z.literal('asked'), subject: z.string(), question: json, from: z.string(), id: z.number() }),
  /** Has no `answer` if the process has no handler, so that the requester does not wait for it. */
  z.object({ kind: z.literal('answered'), to: z.string(), id: z.number(), answer: json.optional() }),
])
type PeerMessage = z.infer<typeof peerMessageSchema>

/** Pending requests; further ones get no responses. */
const maxPendingRequests = 10_000

type PendingRequest = {
  readonly answers: unknown[]
  /** How many processes have replied, with an answer or without. */
  replied: number
  /** The number of other processes; unknown at first. */
  expected: number | undefined
  finish(): void
}

type PeersOptions = {
  /** The main namespace of a Socket.IO server with an adapter that reaches the other servers. */
  readonly namespace: Namespace
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Peers over a Socket.IO adapter. Requests and responses are matched here, because the adapter's acknowledgements have one common
 * timeout and fail as a whole.
 */
export const createPeers = ({ namespace, logger }: PeersOptions): Peers => {
  const self = randomUUID()
  const pending = new Map<number, PendingRequest>()
  const listeners = new Map<string, (message: unknown) => void>()
  const handlers = new Map<string, (message: unknown) => Promise<Json>>()
  let lastId = 0

  const emit = (message: PeerMessage): void => void namespace.serverSideEmit(event, message)

  const respond = async ({ subject, question, from, id }: Extract<PeerMessage, { kind: 'asked' }>): Promise<void> => {
    const handle = handlers.get(subject)
    if (!handle) return emit({ kind: 'answered', to: from, id })
    try {
      emit({ kind: 'answered', to: from, id, answer: await handle(question) })
    } catch (err) {
      logger.warn({ err, subject }, 'peer request failed, sending no answer')
      emit({ kind: 'answered', to: from, id })
    }
  }

  const finishIfComplete = (request: PendingRequest): void => {
    if (request.expected !== undefined && request.replied >= request.expected) request.finish()
  }

  const onAnswer = (message: Extract<PeerMessage, { kind: 'answered' }>): void => {
    const request = message.to === self ? pending.get(message.id) : undefined
    if (!request) return
    request.replied += 1
    if (message.answer !== undefined) request.answers.push(message.answer)
    finishIfComplete(request)
  }

  const onBroadcast = (subject: string, message: unknown): void => {
    try {
      listeners.get(subject)?.(message)
    } catch (err) {
      logger.warn({ err, subject }, 'peer broadcast handler failed')
    }
  }

  const onMessage = (given: unknown): void => {
    const parsed = peerMessageSchema.safeParse(given)
    if (!parsed.success) return logger.warn({ err: parsed.error }, 'malformed peer message ignored')
    const message = parsed.data
    if (message.kind === 'told') onBroadcast(message.subject, message.message)
    else if (message.kind === 'answered') onAnswer(message)
    else void respond(message)
  }
  namespace.on(event, onMessage)

  /** Processes that have left do not count. Hanging processes count until the timeout. */
  const countExpected = async (request: PendingRequest): Promise<void> => {
    try {
      request.expected = (await namespace.adapter.serverCount()) - 1
      finishIfComplete(request)
    } catch (err) {
      logger.warn({ err }, 'peer count unavailable, waiting for the timeout')
    }
  }

  return {
    broadcast: (subject, message) => emit({ kind: 'told', subject, message }),
    request: (subject, question, timeoutMs) => {
      if (pending.size >= maxPendingRequests) return Promise.resolve([])
      const id = ++lastId
      return new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(timer)
          pending.delete(id)
          resolve(request.answers)
        }
        const timer = setTimeout(finish, timeoutMs)
        const request: PendingRequest = { answers: [], replied: 0, expected: undefined, finish }
        pending.set(id, request)
        emit({ kind: 'asked', subject, question, from: self, id })
        void countExpected(request)
      })
    },
    onBroadcast: (subject, listen) => void listeners.set(subject, listen),
    onRequest: (subject, handle) => void handlers.set(subject, handle),
    close: async () => {
      namespace.off(event, onMessage)
      for (const request of pending.values()) request.finish()
    },
  }
}
