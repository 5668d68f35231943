import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { UnknownPositionError } from '../../../src/event-store/errors.ts'
import type { Checkpoint, EventStore, Position, RecordedEvent } from '../../../src/event-store/port.ts'
import { caughtUpAfter, idsOf, newEvents, pull, readAll, record, type StoreTest } from './harness.ts'

const checkpointOf = ({ position, id }: RecordedEvent): Checkpoint => ({ position, eventId: id })

/** A valid position far after the end of the log: each of its numbers starts with another digit. */
const farAfterEnd = (position: Position): Position => position.replaceAll(/\b\d/g, '1') as Position

const notOfThisStore = ['', '2', 'C:1/P:1', 'start '] as readonly string[] as readonly Position[]

export const checkpointRules = (test: StoreTest): void => {
  test('ES-34 caught-up names the last event of the log', async ({ store, reopen }) => {
    await record(store, 'cat-a', newEvents(3))
    await record(store, 'dog-a', newEvents(2))
    const lastId = async (): Promise<string | undefined> => (await readAll(store, 'dog-a')).at(-1)?.id
    const check = async (opened: EventStore, eventId: string | undefined): Promise<void> => {
      const subscription = pull(opened, 'start', { categories: ['cat'] })
      await subscription.events(3)
      expect(await subscription.next()).toEqual({ kind: 'caught-up', position: await opened.end(), eventId })
      await subscription.stop()
    }
    const eventId = await lastId()
    await check(store, eventId)
    await check(await reopen(), eventId)
  })

  test('ES-38 delivers only events after a checkpoint of the log, even after reopening', async ({ store, reopen }) => {
    await record(store, 'cat-a', newEvents(300))
    const events = await readAll(store, 'cat-a')
    const check = async (opened: EventStore): Promise<void> => {
      for (const event of [events[0], events[255], events.at(-1)]) {
        if (event === undefined) throw new Error('No event')
        const seen = await caughtUpAfter(opened, checkpointOf(event))
        expect(idsOf(seen.events)).toEqual(idsOf(events.slice(event.revision + 1)))
      }
    }
    await check(store)
    await check(await reopen())
  })

  test('ES-39 rejects a checkpoint that the log does not have, even after it has grown', async ({ store, reopen }) => {
    await record(store, 'cat-a', newEvents(3))
    const [first, second] = await readAll(store, 'cat-a')
    if (first === undefined || second === undefined) throw new Error('No events')
    const foreign: readonly Checkpoint[] = [
      { position: second.position, eventId: first.id },
      { position: first.position, eventId: randomUUID() },
      { position: farAfterEnd(second.position), eventId: second.id },
      ...notOfThisStore.map((position) => ({ position, eventId: second.id })),
    ]
    const check = async (opened: EventStore): Promise<void> => {
      for (const checkpoint of foreign) {
        await expect(pull(opened, checkpoint).next()).rejects.toThrow(UnknownPositionError)
      }
    }
    await check(store)
    await record(store, 'cat-b', newEvents(50))
    await check(await reopen())
  })

  test('ES-39 rejects a position after the end or of another store', async ({ store }) => {
    const { position } = await record(store, 'cat-a', newEvents(3))
    for (const unknown of [farAfterEnd(position), ...notOfThisStore]) {
      await expect(pull(store, unknown).next()).rejects.toThrow(UnknownPositionError)
    }
  })

  test('ES-44 reports whether it has an event at a position', async ({ store, reopen }) => {
    await record(store, 'cat-a', newEvents(3))
    const events = await readAll(store, 'cat-a')
    const check = async (opened: EventStore): Promise<void> => {
      for (const event of events) expect(await opened.holds(checkpointOf(event))).toBe(true)
      for (const { position, id } of events) {
        expect(await opened.holds({ position, eventId: randomUUID() })).toBe(false)
        expect(await opened.holds({ position: farAfterEnd(position), eventId: id })).toBe(false)
        for (const unknown of notOfThisStore) expect(await opened.holds({ position: unknown, eventId: id })).toBe(false)
      }
    }
    await check(store)
    await check(await reopen())
  })
}
