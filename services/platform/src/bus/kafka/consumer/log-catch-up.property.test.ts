import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { CaughtUp, Checkpoint as LogCheckpoint, Position, RecordedEvent } from '../../../event-store/port.ts'
import { UnknownPositionError } from '../../../event-store/errors.ts'
import { logPosition, positionOf as positionAt } from '../../log-cursor.ts'
import type { Consumer, Cursor } from '../../port.ts'
import { createRelay } from '../../relay.ts'
import { type PartitionAssignment, startAssignment } from './partition-assignment.ts'
import type { Checkpoint } from '../producer/checkpoint.ts'
import type { Log } from './log-catch-up.ts'
import { parsePublisherHeader, recordsOf, requestOf } from '../message-format.ts'
import { resumeFrom } from '../producer/resume-position.ts'
import { includesEnds } from '../producer/topic-truncation.ts'
import { createConsumerState } from './consumer-state.ts'
import { createKafkaModel } from '@portal/platform/testing/bus/kafka/kafka-model'
import { createTally } from '@portal/platform/testing/bus/kafka/portal'
import { testPublisher } from '@portal/platform/testing/bus/log-with-messages'
import { until } from '@portal/platform/testing/until'

const logger = pino({ level: 'silent' })
const keys = Array.from({ length: 6 }, (_, n) => `key-${n}`)
const publisherName = 'feed:test'
/** Small, so that the messages of one event also go to several requests. */
const maxRequestMessages = 4
const relay = createRelay([testPublisher])

// Only stores make positions; this test makes its own.
const positionOf = (row: number) => String(row).padStart(6, '0') as Position

/** An in-memory log. Each event becomes one message for each of its keys. */
const createLog = () => {
  const events: RecordedEvent[] = []
  const counts = new Map<string, number>()
  let wake = Promise.withResolvers<void>()
  const rowOf = (after: Position | LogCheckpoint | 'start'): number => {
    const position = typeof after === 'string' ? after : after.position
    const row = position === 'start' ? 0 : Number(position)
    const isKnown = typeof after === 'string' || events[row - 1]?.id === after.eventId
    if (row > events.length || !isKnown) throw new UnknownPositionError(`${position} is unknown`)
    return row
  }
  const log: Log = {
    async *subscribe(after, _filter, signal): AsyncGenerator<RecordedEvent | CaughtUp> {
      let row = rowOf(after)
      while (!signal.aborted) {
        for (const event of events.slice(row)) {
          yield event
          if (signal.aborted) return
          row++
        }
        if (row < events.length) continue
        const eventId = events[row - 1]?.id
        yield { kind: 'caught-up', position: row === 0 ? 'start' : positionOf(row), ...(eventId && { eventId }) }
        const stopped = new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        )
        while (!signal.aborted && row >= events.length) await Promise.race([wake.promise, stopped])
      }
    },
    holds: async ({ position, eventId }) => events[Number(position) - 1]?.id === eventId,
    end: async () => (events.length === 0 ? 'start' : positionOf(events.length)),
  }
  return {
    log,
    events,
    expected: () => new Map([...counts].map(([key, count]) => [key, Array.from({ length: count }, (_, n) => n)])),
    append(messageKeys: readonly string[]) {
      const messages = messageKeys.map((key) => {
        const n = counts.get(key) ?? 0
        counts.set(key, n + 1)
        return { topic: 'notifications', key, type: 'Counted', data: { n } }
      })
      const row = events.length + 1
      events.push({
        kind: 'event',
        position: positionOf(row),
        stream: 'test-1',
        revision: row - 1,
        id: `event-${row}`,
        type: 'Tested',
        data: { messages },
        metadata: {},
        at: '2026-01-01T00:00:00.000Z',
      })
      wake.resolve()
      wake = Promise.withResolvers()
    },
  }
}

type World = ReturnType<typeof createWorld>

/** A log, a log publisher, Kafka and two members of a group, with their saved state. */
const createWorld = (partitions: number, readsLogFirst: boolean) => {
  const recorded = createLog()
  const kafka = createKafkaModel(partitions)
  const tally = createTally({ readsLogFirst })
  let fails = 0
  let savedCursors: Readonly<Record<string, Cursor>> = {}
  let saved: Checkpoint | undefined
  let publisher: Checkpoint | undefined
  /** An in-flight batch of a discarded log publisher. It may arrive at any time, or never. */
  let inFlight: (() => void) | undefined
  let fills = 0

  const consumer: Consumer = {
    ...tally.consumer,
    maxBatch: 3,
    loadCursors: async () => savedCursors,
    async handle(deliveries) {
      await nextTurn()
      if (fails > 0) {
        fails--
        throw new Error('not now')
      }
      await tally.consumer.handle(deliveries)
    },
  }

  const openMember = () => ({
    state: createConsumerState('tally'),
    fetcher: kafka.openFetcher(),
    assignment: undefined as PartitionAssignment | undefined,
  })
  let members = [openMember(), openMember()]

  const assign = async (split: number) => {
    for (const { assignment, state } of members) {
      assignment?.stop()
      await state.inFlight.whenAllDone()
    }
    for (const [index, member] of members.entries()) {
      const assigned = kafka.numbers.filter((partition) => partition < split === (index === 0))
      member.fetcher = kafka.openFetcher()
      member.assignment = startAssignment({
        ...member,
        consumer,
        assigned: assigned.map((partition) => ({ topic: kafka.name, partition })),
        logger,
        topicReader: kafka.topicReader,
        source: { log: recorded.log, relay },
        beginning: () => undefined,
        topicOf: () => kafka.topic,
        lostConnections: kafka.lostConnections,
        fetchControl: member.fetcher.fetchControl,
      })
    }
  }

  const startPublisher = () => {
    const own = kafka.lastMessages().flatMap((message) => parsePublisherHeader(message)?.checkpoint ?? [])
    const { from, because } = resumeFrom(saved, own, kafka.offsets())
    publisher = because === undefined && from.fill !== undefined ? from : { ...from, fill: `fill-${++fills}` }
    return publisher
  }

  /** The log publisher, which starts again if Kafka has less than was published. */
  const runningPublisher = (): Checkpoint =>
    publisher !== undefined && includesEnds(kafka.ends(), publisher.ends) ? publisher : startPublisher()

  const nextBatch = (from: Checkpoint, count: number) => {
    const events = recorded.events.filter(({ position }) => from.position === 'start' || position > from.position)
    const batch = events.slice(0, count)
    const last = batch.at(-1)
    if (last === undefined) return undefined
    const records = recordsOf(kafka.address, from.layout)(batch.flatMap((event) => relay.translate(event)))
    const write = () => {
      for (let at = 0; at < records.length; at += maxRequestMessages) {
        kafka.write(requestOf(publisherName, from, records.slice(at, at + maxRequestMessages)))
      }
    }
    return { write, reached: logPosition(last.position, last.id) }
  }

  return {
    recorded,
    kafka,
    tally,
    assign,
    save: () => void (savedCursors = { ...tally.cursors }),
    restart: async (split: number) => {
      for (const { assignment, state } of members) {
        assignment?.stop()
        await state.inFlight.whenAllDone()
      }
      members = [openMember(), openMember()]
      await assign(split)
    },
    failNext: (times: number) => void (fails = times),
    fetch(most: number) {
      for (const { fetcher, assignment } of members) {
        fetcher.fetch(most, (batch) => assignment?.take(batch) ?? false)
      }
    },
    publish(count: number, isSaved: boolean) {
      const from = runningPublisher()
      const batch = nextBatch(from, count)
      if (batch === undefined) return
      batch.write()
      const { reached } = batch
      const eventId = typeof reached === 'string' ? undefined : reached.eventId
      publisher = {
        ...from,
        position: positionAt(reached),
        ...(eventId !== undefined && { eventId }),
        ends: kafka.ends(),
      }
      if (isSaved) saved = publisher
    },
    /** Discards the log publisher while a batch is in flight. */
    cutOff(count: number) {
      inFlight = nextBatch(runningPublisher(), count)?.write
      publisher = undefined
    },
    arrive() {
      inFlight?.()
      inFlight = undefined
    },
    reset() {
      kafka.reset()
      publisher = undefined
    },
    loseCheckpoint: () => {
      saved = undefined
      publisher = undefined
    },
    async stop() {
      for (const { assignment, state } of members) {
        assignment?.stop()
        await state.inFlight.whenAllDone()
      }
    },
  }
}

type Step = { readonly name: string; run(world: World): void | Promise<void> }

const stepOf = (name: string, run: Step['run']): Step => ({ name, run })
const few = fc.integer({ min: 1, max: 4 })
const someKeys = fc.subarray([...keys], { minLength: 1 })
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })

const published = fc.tuple(fc.array(someKeys, { minLength: 1, maxLength: 3 }), few, fc.boolean())
const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    8,
    published.map(([events, count, isSaved]) =>
      stepOf(`publish ${events.length} ${count} ${isSaved}`, (world) => {
        for (const of of events) world.recorded.append(of)
        world.publish(count, isSaved)
      }),
    ),
  ),
  weighted(2, someKeys.map((of) => stepOf(`append ${of.length}`, (world) => world.recorded.append(of)))), // prettier-ignore
  weighted(8, few.map((most) => stepOf(`fetch ${most}`, (world) => world.fetch(most)))), // prettier-ignore
  weighted(5, fc.constant(stepOf('save', (world) => world.save()))),
  weighted(1, fc.nat(3).map((split) => stepOf(`rebalance ${split}`, (world) => world.assign(split)))), // prettier-ignore
  weighted(1, fc.nat(3).map((split) => stepOf(`restart ${split}`, (world) => world.restart(split)))), // prettier-ignore
  weighted(1, few.map((count) => stepOf(`retention ${count}`, (world) => world.kafka.trim(count)))), // prettier-ignore
  weighted(1, fc.constant(stepOf('reset', (world) => world.reset()))),
  weighted(1, fc.constant(stepOf('replace', (world) => world.kafka.replace()))),
  weighted(1, few.map((count) => stepOf(`cut off ${count}`, (world) => world.cutOff(count)))), // prettier-ignore
  weighted(1, fc.constant(stepOf('arrive', (world) => world.arrive()))),
  weighted(1, fc.constant(stepOf('lose the checkpoint', (world) => world.loseCheckpoint()))),
  weighted(1, few.map((times) => stepOf(`fail ${times}`, (world) => world.failNext(times)))), // prettier-ignore
)

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

/** For each key, how many messages were applied, and how many there are. */
const counts = ({ tally, recorded }: World): readonly (readonly [key: string, applied: number, all: number])[] =>
  [...recorded.expected()].map(([key, all]) => [key, tally.applied.get(key)?.length ?? 0, all.length])

const isComplete = (world: World): boolean => counts(world).every(([, applied, all]) => applied === all)

/** Ends all faults, so that log publisher and members reach the end. */
const heal = async (world: World): Promise<void> => {
  await world.assign(1)
  await until(async () => {
    for (let round = 0; round < 20 && !isComplete(world); round++) {
      world.publish(10, true)
      world.fetch(10)
      await settle()
    }
    expect(counts(world)).toEqual(counts(world).map(([key, , all]) => [key, all, all]))
  })
}

it('BUS-43 BUS-44 FD-13 applies every event once and in the order of its key, whatever Kafka loses', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      async (steps, partitions, readsLogFirst) => {
        const world = createWorld(partitions, readsLogFirst)
        try {
          await world.assign(1)
          for (const each of steps) {
            await each.run(world)
            await settle()
          }
          await heal(world)
          const applied = new Map(world.tally.applied)
          for (const [key, all] of world.recorded.expected()) {
            if (JSON.stringify(applied.get(key)) !== JSON.stringify(all)) {
              const ran = steps.map(({ name }) => name).join('; ')
              throw new Error(`${key}: ${JSON.stringify(applied.get(key))} for ${all.length} messages after ${ran}`)
            }
          }
        } finally {
          await world.stop()
        }
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
}, 120_000)
