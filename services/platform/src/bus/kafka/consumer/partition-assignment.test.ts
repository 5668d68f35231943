import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKafkaModel } from '@portal/platform/testing/bus/kafka/kafka-model'
import { createTally } from '@portal/platform/testing/bus/kafka/portal'
import { testPublisher } from '@portal/platform/testing/bus/log-with-messages'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Position, RecordedEvent } from '../../../event-store/port.ts'
import type { Consumer } from '../../port.ts'
import { createRelay } from '../../relay.ts'
import { recordsOf, requestOf } from '../message-format.ts'
import { createConsumerState } from './consumer-state.ts'
import { startAssignment } from './partition-assignment.ts'

const partitions = 4
// Enough that each partition has some.
const keys = Array.from({ length: 32 }, (_, n) => `key-${n}`)
const relay = createRelay([testPublisher])

const eventOf = (row: number): RecordedEvent => ({
  kind: 'event',
  // Only stores make positions; this test makes its own.
  position: String(row).padStart(6, '0') as Position,
  stream: 'test-1',
  revision: row - 1,
  id: `event-${row}`,
  type: 'Tested',
  data: { messages: keys.map((key) => ({ topic: 'notifications', key, type: 'Counted', data: { n: row - 1 } })) },
  metadata: {},
  at: '2026-01-01T00:00:00.000Z',
})

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

/** A member with all partitions, a log that takes its time, and a log publisher that names the fill of each event. */
const startMember = (options: Partial<Consumer>) => {
  const kafka = createKafkaModel(partitions)
  const events: RecordedEvent[] = []
  let starts = 0
  let gaps = 0
  const tally = createTally({ ...options, onGap: () => void gaps++ })
  const fetcher = kafka.openFetcher()
  const assignment = startAssignment({
    consumer: {
      ...tally.consumer,
      async loadCursors() {
        starts++
        return {}
      },
    },
    assigned: kafka.numbers.map((partition) => ({ topic: kafka.name, partition })),
    state: createConsumerState('tally'),
    logger: pino({ level: 'silent' }),
    topicReader: kafka.topicReader,
    source: {
      relay,
      log: {
        async *subscribe(after, _filter, signal) {
          await turns(50)
          const position = typeof after === 'string' ? after : after.position
          for (const event of events) if (position === 'start' || event.position > position) yield event
          const last = events.at(-1)
          yield { kind: 'caught-up', position: last?.position ?? 'start', ...(last && { eventId: last.id }) }
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        },
        end: async () => events.at(-1)?.position ?? 'start',
        holds: async () => true,
      },
    },
    beginning: () => (options.startAt === 'now' ? { offset: -1n } : undefined),
    topicOf: () => kafka.topic,
    lostConnections: () => 0,
    fetchControl: fetcher.fetchControl,
  })
  return {
    assignment,
    starts: () => starts,
    gaps: () => gaps,
    applied: () => keys.map((key) => tally.applied.get(key)?.length ?? 0),
    async publish(fill: string) {
      const event = eventOf(events.length + 1)
      events.push(event)
      const { layout, ends } = kafka.offsets()
      const checkpoint = { position: 'start' as const, fill, ends, layout }
      kafka.write(requestOf('feed:test', checkpoint, recordsOf(kafka.address, layout)(relay.translate(event))))
      for (let fetch = 0; fetch < 60; fetch++) {
        fetcher.fetch(1, (batch) => assignment.take(batch))
        await turns(5)
      }
    },
  }
}

it('BUS-43 starts at most once for each partition when the log publisher fills Kafka again', async () => {
  const member = startMember({})
  await member.publish('first')
  await member.publish('first')
  expect(member.applied()).toEqual(keys.map(() => 2))
  const before = member.starts()
  await member.publish('second')
  await member.publish('second')
  expect(member.applied()).toEqual(keys.map(() => 4))
  expect(member.starts() - before).toBeLessThanOrEqual(partitions)
  member.assignment.stop()
})

it('BUS-52 reports at most one gap for each partition to a live consumer when Kafka is filled again', async () => {
  const member = startMember({ startAt: 'now' })
  await turns(20)
  await member.publish('first')
  expect(member.gaps()).toBe(0)
  await member.publish('second')
  expect(member.gaps()).toBeGreaterThan(0)
  expect(member.gaps()).toBeLessThanOrEqual(partitions)
  const before = member.applied()
  await member.publish('second')
  expect(member.applied()).toEqual(before.map((count) => count + 1))
  member.assignment.stop()
})
