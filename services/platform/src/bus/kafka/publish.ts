import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { growingPauses } from '../growing-pauses.ts'
import type { KafkaAddress } from './address.ts'
import type { KafkaAdmin } from './admin.ts'
import { causeOf } from './client.ts'
import {
  endName,
  type Ends,
  type Layout,
  openProducing,
  type Outgoing,
  outgoingOf,
  parts,
  type Producing,
} from './producing.ts'
import { holdsEnds, KafkaWasResetError, lookAtKafka } from './reset.ts'
import type { Trouble } from './trouble.ts'

const stopWithinMs = 2_000

export type PublisherParts = {
  readonly address: KafkaAddress
  readonly admin: KafkaAdmin
  readonly logger: Logger
  readonly trouble: Trouble
  readonly layout: Layout
  /** What the feed has put into each partition before. */
  readonly ends: Ends
}

export type KafkaPublisher = {
  /**
   * Resolves when Kafka has all of them, in this order for each key; tries for ever until the signal aborts. While the outcome of
   * some is unknown, nothing else is sent. Rejects with KafkaWasResetError, or when aborted.
   */
  publish(envelopes: readonly Envelope[], signal: AbortSignal): Promise<void>
  ends(): Ends
  close(): Promise<void>
}

/** What another producer has to do: the broker does not go on with this one. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  error.name !== 'KafkaJSNumberOfRetriesExceeded' &&
  !('retriable' in error && error.retriable)

export const openKafkaPublisher = (options: PublisherParts): KafkaPublisher => {
  const { address, admin, logger, trouble, layout } = options
  const toOutgoing = outgoingOf(address, layout)
  const ends = new Map(options.ends)
  let producing: Producing | undefined

  const closeProducer = async () => {
    const former = producing
    producing = undefined
    // It is thrown away, whatever state it is in.
    await former?.close().catch(() => undefined)
  }

  const note = (messages: readonly Outgoing[], placed: ReadonlyMap<string, bigint>) => {
    const counts = Map.groupBy(messages, ({ topic, partition }) => endName(topic, partition))
    for (const [name, { length }] of counts) {
      const base = placed.get(name)
      if (base === undefined) continue
      const end = ends.get(name)
      if (end !== undefined && base < end) {
        // A repetition that the broker has recognised is where it was the first time, and that was not noted.
        throw new KafkaWasResetError()
      }
      ends.set(name, base + BigInt(length))
    }
  }

  const sendOnce = async (messages: readonly Outgoing[]) => {
    producing ??= await openProducing(address, logger)
    note(messages, await producing.send(messages))
  }

  /** While stopping, an answer is not waited for longer than others can wait. */
  const inTime = async (work: Promise<void>, signal: AbortSignal) => {
    const stopping = new AbortController()
    const late = async () => {
      if (!signal.aborted) await once(signal, 'abort', { signal: stopping.signal })
      await delay(stopWithinMs, undefined, { signal: stopping.signal, ref: false })
      throw new Error('Stopped before Kafka had answered')
    }
    const tooLate = late()
    // It ends by being aborted when the work is done.
    tooLate.catch(() => undefined)
    try {
      await Promise.race([work, tooLate])
    } finally {
      stopping.abort()
    }
  }

  const send = async (messages: readonly Outgoing[], signal: AbortSignal) => {
    const pauses = growingPauses({ firstMs: 50, mostMs: 2_000 })
    for (;;) {
      signal.throwIfAborted()
      try {
        await inTime(trouble.watch(sendOnce(messages)), signal)
        return
      } catch (error) {
        if (error instanceof KafkaWasResetError) throw error
        trouble.began(causeOf(error))
        if (isFinal(error)) await closeProducer()
        await pauses.pause(signal)
        // Topics that have gone are there again afterwards, but empty: then these are not the next messages.
        const held = await lookAtKafka(admin).catch(() => undefined)
        if (held !== undefined && !holdsEnds(held.ends, ends)) throw new KafkaWasResetError()
      }
    }
  }

  return {
    async publish(envelopes, signal) {
      for (const part of parts(envelopes.map(toOutgoing))) await send(part, signal)
    },
    ends: () => new Map(ends),
    close: closeProducer,
  }
}
