import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff } from '../../async/backoff.ts'
import { type LogPosition, positionOf } from '../log-cursor.ts'
import type { KafkaAddress } from './address.ts'
import type { KafkaAdmin } from './admin.ts'
import type { Checkpoint } from './checkpoint.ts'
import { causeOf } from './client.ts'
import { feedHeader, feedHeaderOf, fillHeader } from './feed-header.ts'
import { endName, type Ends } from './layout.ts'
import { type Headers, openProducing, type Outgoing, outgoingOf, parts, type Producing } from './producing.ts'
import { holdsEnds, KafkaWasResetError, lookAtKafka } from './reset.ts'
import type { Trouble } from './trouble.ts'

const stopWithinMs = 2_000

export type PublisherParts = {
  readonly feed: string
  readonly address: KafkaAddress
  readonly admin: KafkaAdmin
  readonly logger: Logger
  readonly trouble: Trouble
  /** What the feed has published before. */
  readonly from: Checkpoint
}

export type KafkaPublisher = {
  /**
   * The messages of whole events. Resolves when Kafka has all of them, in this order for each key; tries for ever until the signal
   * aborts. While the outcome of some is unknown, nothing else is sent. Rejects with KafkaWasResetError, or when aborted.
   */
  publish(envelopes: readonly Envelope[], signal: AbortSignal): Promise<void>
  /** Everything up to there has been published. Answers what the feed goes on from. */
  reached(place: LogPosition): Checkpoint
  ends(): Ends
  close(): Promise<void>
}

/** What another producer has to do: the broker does not go on with this one. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  error.name !== 'KafkaJSNumberOfRetriesExceeded' &&
  !('retriable' in error && error.retriable)

export const openKafkaPublisher = (options: PublisherParts): KafkaPublisher => {
  const { feed, address, admin, logger, trouble, from } = options
  const { layout, fill } = from
  const toOutgoing = outgoingOf(address, layout)
  const ends = new Map(from.ends)
  let { position, eventId } = from
  let producing: Producing | undefined

  const checkpoint = (): Checkpoint => ({
    position,
    ...(eventId !== undefined && { eventId }),
    ...(fill !== undefined && { fill }),
    ends: new Map(ends),
    layout,
  })

  const closeProducer = async () => {
    const former = producing
    producing = undefined
    // It is thrown away, whatever state it is in.
    await former?.close().catch(() => undefined)
  }

  /** Topics that have gone are there again afterwards, but empty: then these are not the next messages. */
  const look = async () => {
    const held = await lookAtKafka(admin)
    if (!holdsEnds(held.ends, ends)) throw new KafkaWasResetError()
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

  /** Writes only over connections that were there when Kafka was looked at: behind another may be one that has lost its data. */
  const open = async (): Promise<Producing> => {
    if (producing?.isCut() === true) await closeProducer()
    if (producing !== undefined) return producing
    const opened = await openProducing(address, logger)
    try {
      await look()
    } catch (error) {
      await opened.close().catch(() => undefined)
      throw error
    }
    producing = opened
    return opened
  }

  const sendOnce = async (messages: readonly Outgoing[], headers: Headers) => {
    const current = await open()
    note(messages, await current.send(messages, headers))
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
    const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 })
    const mark = feedHeaderOf(feed, checkpoint(), new Set(messages.map(({ topic }) => topic)))
    const headers = { [feedHeader]: mark, ...(fill !== undefined && { [fillHeader]: fill }) }
    let hasFailed = false
    for (;;) {
      signal.throwIfAborted()
      try {
        // Also where the connection has held: a failed write may be due to topics that are gone. Nothing is written while the look fails.
        if (hasFailed) await look()
        await inTime(trouble.watch(sendOnce(messages, headers)), signal)
        return
      } catch (error) {
        if (error instanceof KafkaWasResetError) throw error
        hasFailed = true
        trouble.began(causeOf(error))
        if (isFinal(error)) await closeProducer()
        await backoff.pause(signal)
      }
    }
  }

  return {
    async publish(envelopes, signal) {
      for (const part of parts(toOutgoing(envelopes))) await send(part, signal)
    },
    reached(place) {
      position = positionOf(place)
      eventId = typeof place === 'string' ? undefined : place.eventId
      return checkpoint()
    },
    ends: () => new Map(ends),
    close: closeProducer,
  }
}
