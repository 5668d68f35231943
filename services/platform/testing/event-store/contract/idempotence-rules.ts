import { expect } from 'vitest'
import { EventIdReusedError } from '../../../src/event-store/errors.ts'
import type { EventStore } from '../../../src/event-store/port.ts'
import { idsOf, newEvent, newEvents, pull, readAll, record, type StoreTest } from './harness.ts'

export const idempotenceRules = (test: StoreTest): void => {
  test('ES-10 a repeated append returns the first answer and appends nothing', async ({ store, reopen }) => {
    const events = newEvents(3)
    const first = await store.append('cat-a', 'no-stream', events)
    await record(store, 'cat-a', newEvents(2))
    const check = async (opened: EventStore): Promise<void> => {
      for (const expected of ['no-stream', 'any', 0, 2, 4, 99] as const) {
        expect(await opened.append('cat-a', expected, events)).toEqual(first)
      }
      expect(await readAll(opened, 'cat-a')).toHaveLength(5)
    }
    await check(store)
    await check(await reopen())
  })

  test('ES-10 a repetition concurrent with the first append is recorded once', async ({ store }) => {
    const events = newEvents(3)
    const [first, ...others] = await Promise.all(
      (['no-stream', 'no-stream', 'any', 2] as const).map((expected) => store.append('cat-a', expected, events)),
    )
    expect(first).toMatchObject({ kind: 'appended', revision: 2 })
    expect(others).toEqual([first, first, first])
    expect(idsOf(await readAll(store, 'cat-a'))).toEqual(idsOf(events))
  })

  test('ES-10 a repetition does not change the recorded content', async ({ store }) => {
    const event = newEvent({ text: 'first' })
    const first = await record(store, 'cat-a', [event])
    expect(await record(store, 'cat-a', [{ ...event, type: 'Other', data: { text: 'second' } }])).toEqual(first)
    expect(await readAll(store, 'cat-a')).toMatchObject([{ type: 'Happened', data: { text: 'first' } }])
  })

  test('ES-10 a subscriber gets a repeated append once', async ({ store }) => {
    const events = newEvents(2)
    const subscription = pull(store)
    await record(store, 'cat-a', events)
    await record(store, 'cat-a', events)
    const last = newEvent()
    await record(store, 'cat-a', [last])
    expect(idsOf(await subscription.events(3))).toEqual(idsOf([...events, last]))
    await subscription.stop()
  })

  test('ES-11 rejects ids of which only some are recorded', async ({ store }) => {
    const [first, second, third] = [newEvent(), newEvent(), newEvent()]
    await record(store, 'cat-a', [first, second])
    for (const events of [
      [second, third],
      [third, first],
      [first, second, third],
    ]) {
      for (const expected of ['any', 1, 'no-stream'] as const) {
        await expect(store.append('cat-a', expected, events)).rejects.toThrow(EventIdReusedError)
      }
    }
    expect(idsOf(await readAll(store, 'cat-a'))).toEqual(idsOf([first, second]))
    expect(await store.append('cat-a', 1, [third])).toMatchObject({ kind: 'appended', revision: 2 })
  })

  test('ES-12 rejects an id that occurs twice in one append', async ({ store }) => {
    const event = newEvent()
    await expect(store.append('cat-a', 'any', [event, newEvent(), event])).rejects.toThrow(EventIdReusedError)
    expect(await readAll(store, 'cat-a')).toEqual([])
  })
}
