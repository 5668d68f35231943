import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Namespace } from 'socket.io'
import { z } from 'zod'
import type { Json } from '../event-store/port.ts'
import type { Peers } from './port.ts'

const event = 'portal:peers'
/** It comes as JSON; whoever listens looks at what it says. */
const json = z.custom<Json>((value) => value !== undefined)

/** What processes send each other. Each hears all of it, and passes over what is not for it. */
const peerMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), subject: z.string(), message: json }),
  z.object({ kind: z.literal('asked'), subject: z.string(), question: json, from: z.string(), id: z.number() }),
  /** Without an `answer` from those who have none to give, so that nobody waits for them. */
  z.object({ kind: z.literal('answered'), to: z.string(), id: z.number(), answer: json.optional() }),
])
type PeerMessage = z.infer<typeof peerMessageSchema>

/** Questions under way at a time; more than that are answered by nobody. */
const maxQuestions = 10_000

type Question = {
  readonly answers: unknown[]
  /** How many have said something, with an answer or without. */
  heard: number
  /** How many are there to say something; unknown at first. */
  expected: number | undefined
  finish(): void
}

type PeersOptions = {
  /** The main namespace of a Socket.IO server with an adapter that reaches the other servers. */
  readonly namespace: Namespace
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Peers over a Socket.IO adapter. Questions and answers are paired here and not by the adapter's own acknowledgements: those
 * have one time limit for all, and at its end count as a failure.
 */
export const createPeers = ({ namespace, logger }: PeersOptions): Peers => {
  const self = randomUUID()
  const questions = new Map<number, Question>()
  const listeners = new Map<string, (message: unknown) => void>()
  const answerers = new Map<string, (question: unknown) => Promise<Json>>()
  let lastId = 0

  const emit = (message: PeerMessage): void => void namespace.serverSideEmit(event, message)

  const answer = async ({ subject, question, from, id }: Extract<PeerMessage, { kind: 'asked' }>): Promise<void> => {
    const answerer = answerers.get(subject)
    if (!answerer) return emit({ kind: 'answered', to: from, id })
    try {
      emit({ kind: 'answered', to: from, id, answer: await answerer(question) })
    } catch (err) {
      logger.warn({ err, subject }, 'A question of another process could not be answered')
      emit({ kind: 'answered', to: from, id })
    }
  }

  const finishIfComplete = (question: Question): void => {
    if (question.expected !== undefined && question.heard >= question.expected) question.finish()
  }

  const onAnswer = (message: Extract<PeerMessage, { kind: 'answered' }>): void => {
    const question = message.to === self ? questions.get(message.id) : undefined
    if (!question) return
    question.heard += 1
    if (message.answer !== undefined) question.answers.push(message.answer)
    finishIfComplete(question)
  }

  const onBroadcast = (subject: string, message: unknown): void => {
    try {
      listeners.get(subject)?.(message)
    } catch (err) {
      logger.warn({ err, subject }, 'What another process told could not be taken up')
    }
  }

  const onMessage = (given: unknown): void => {
    const parsed = peerMessageSchema.safeParse(given)
    if (!parsed.success) return logger.warn({ err: parsed.error }, 'A message of another process was passed over')
    const message = parsed.data
    if (message.kind === 'told') onBroadcast(message.subject, message.message)
    else if (message.kind === 'answered') onAnswer(message)
    else void answer(message)
  }
  namespace.on(event, onMessage)

  /** Whoever has gone by then does not count; whoever hangs is waited for. */
  const expectAnswers = async (question: Question): Promise<void> => {
    try {
      question.expected = (await namespace.adapter.serverCount()) - 1
      finishIfComplete(question)
    } catch (err) {
      logger.warn({ err }, 'It is not known how many other processes there are')
    }
  }

  return {
    broadcast: (subject, message) => emit({ kind: 'told', subject, message }),
    request: (subject, question, timeoutMs) => {
      if (questions.size >= maxQuestions) return Promise.resolve([])
      const id = ++lastId
      return new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(timer)
          questions.delete(id)
          resolve(asked.answers)
        }
        const timer = setTimeout(finish, timeoutMs)
        const asked: Question = { answers: [], heard: 0, expected: undefined, finish }
        questions.set(id, asked)
        emit({ kind: 'asked', subject, question, from: self, id })
        void expectAnswers(asked)
      })
    },
    onBroadcast: (subject, listen) => void listeners.set(subject, listen),
    onRequest: (subject, answerer) => void answerers.set(subject, answerer),
    close: async () => {
      namespace.off(event, onMessage)
      for (const question of questions.values()) question.finish()
    },
  }
}
