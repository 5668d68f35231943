import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { EventStore, Recorded } from '../event-store/port.ts'
import { type Member, runMember, type Source } from './in-process-member.ts'
import { hasReachedInLog, logCursors, type LogPosition } from './log-cursor.ts'
import type { Bus, Consumer } from './port.ts'
import type { Publisher } from './publisher.ts'
import { createRelay } from './relay.ts'

/** Consumers that keep up see the same events; a bound for what is kept for the next of them. */
const translationsKept = 256

export type InProcessBusOptions = {
  readonly eventStore: Pick<EventStore, 'subscribe' | 'end' | 'check'>
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

/**
 * The bus of one process: the tail of the event store, seen through the relay by each consumer from its own cursor. It keeps
 * nothing itself, so a crash loses nothing. It has one partition; its cursor names the last event whose messages have all been
 * handled, by position and id.
 */
export const openInProcessBus = async ({ eventStore, publishers, logger }: InProcessBusOptions): Promise<Bus> => {
  const relay = createRelay(publishers)
  const translations = new LRUCache<string, readonly Envelope[]>({ max: translationsKept })
  const members = new Set<Member>()
  /** Resolves when every member of the group that came before has ended. */
  const groupEnds = new Map<string, Promise<void>>()
  let isClosed = false

  const translate = (recorded: Recorded, topics: readonly Topic[]): readonly Envelope[] => {
    const known = translations.get(recorded.position)
    if (known !== undefined) return known
    const envelopes = relay.translate(recorded, topics)
    // None may mean that it was not read for these topics.
    if (envelopes.length > 0) translations.set(recorded.position, envelopes)
    return envelopes
  }

  const source: Source = {
    follow: (after, signal) => eventStore.subscribe(after, { categories: relay.categories }, signal),
    translate,
  }

  const enrol = (consumer: Consumer, beginning: LogPosition): Member => {
    const before = groupEnds.get(consumer.group) ?? Promise.resolve()
    const member = runMember({ consumer, source, beginning, before, logger })
    const leave = async () => {
      await Promise.all([before, member.ended])
      members.delete(member)
      if (groupEnds.get(consumer.group) === ended) groupEnds.delete(consumer.group)
    }
    const ended = leave()
    members.add(member)
    groupEnds.set(consumer.group, ended)
    return member
  }

  return {
    async consume(consumer) {
      const beginning = consumer.startAt === 'now' ? await eventStore.end() : 'start'
      if (isClosed) throw new Error('The bus is closed')
      const { stop } = enrol(consumer, beginning)
      return { stop, startedAt: beginning === 'start' ? {} : logCursors(beginning) }
    },
    hasReached: hasReachedInLog,
    async check() {
      if (isClosed) throw new Error('The bus is closed')
      await eventStore.check()
      for (const member of members) member.check()
    },
    async close() {
      isClosed = true
      await Promise.all([...members].map((member) => member.stop()))
    },
  }
}
