import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createRunningState } from '../async/running-state.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import { type RunningConsumer, type Source, startInProcessConsumer } from './in-process-consumer.ts'
import { startLogTail } from './in-process-tail.ts'
import { hasReachedInLog, logCursors, type LogPosition } from './log-cursor.ts'
import type { Bus, Consumer } from './port.ts'
import type { Publisher } from './publisher.ts'
import { createRelay } from './relay.ts'

/** Consumers that keep up read the same recent events, so a small cache is enough. */
const maxCachedTranslations = 256

const lastRank = 1_000_000

type InProcessBusOptions = {
  readonly eventStore: Pick<EventStore, 'subscribe' | 'end' | 'check'>
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

/**
 * The bus of one process: each consumer reads the tail of the event store, through the relay and from its own cursor. The bus
 * stores nothing, so a crash loses nothing. A cursor is the position and id of the last event whose messages have all been
 * handled.
 */
export const openInProcessBus = async ({ eventStore, publishers, logger }: InProcessBusOptions): Promise<Bus> => {
  const relay = createRelay(publishers)
  const translations = new LRUCache<string, readonly Envelope[]>({ max: maxCachedTranslations })
  const consumers = new Set<RunningConsumer>()
  /** By group: resolves when all its consumers so far have ended. */
  const groupEnds = new Map<string, Promise<void>>()
  const running = createRunningState(() => new Error('The bus is closed'))

  const translate = (recorded: RecordedEvent, topics: readonly Topic[]): readonly Envelope[] => {
    const cached = translations.get(recorded.position)
    if (cached !== undefined) return cached
    const envelopes = relay.translate(recorded, topics)
    // Do not cache an empty result: for other topics it may differ.
    if (envelopes.length > 0) translations.set(recorded.position, envelopes)
    return envelopes
  }

  const source: Source = {
    subscribe: (after, signal) => eventStore.subscribe(after, { categories: relay.categories }, signal),
    end: () => eventStore.end(),
    translate,
  }
  const tail = startLogTail(source)

  let consumersSoFar = 0
  /** In the order of registration, but gateways last: they wait for the projections. */
  const nextRank = ({ startAt }: Consumer): number => (startAt === 'now' ? lastRank : 0) + consumersSoFar++

  const start = (consumer: Consumer, beginning: LogPosition): RunningConsumer => {
    const previousEnded = groupEnds.get(consumer.group) ?? Promise.resolve()
    const rank = nextRank(consumer)
    const started = startInProcessConsumer({ consumer, source, tail, rank, beginning, previousEnded, logger })
    const leaveGroup = async () => {
      await Promise.all([previousEnded, started.ended])
      consumers.delete(started)
      if (groupEnds.get(consumer.group) === ended) groupEnds.delete(consumer.group)
    }
    const ended = leaveGroup()
    consumers.add(started)
    groupEnds.set(consumer.group, ended)
    return started
  }

  return {
    async consume(consumer) {
      const beginning = consumer.startAt === 'now' ? await eventStore.end() : 'start'
      running.assertRunning()
      const { stop } = start(consumer, beginning)
      return { stop, startedAt: beginning === 'start' ? {} : logCursors(beginning) }
    },
    hasReached: hasReachedInLog,
    async check() {
      running.assertRunning()
      await eventStore.check()
      for (const consumer of consumers) consumer.check()
    },
    async close() {
      running.stop()
      await Promise.all([tail.stop(), ...[...consumers].map((consumer) => consumer.stop())])
    },
  }
}
