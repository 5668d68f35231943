import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { EventIdReusedError, InvalidAppendError } from '../../../src/event-store/errors.ts'
import type { EventStore, NewEvent } from '../../../src/event-store/port.ts'
import { appendLimits } from '../../../src/event-store/serialize-append.ts'
import { idsOf, newEvent, newEvents, readAll, record, type StoreTest } from './harness.ts'

/** An event with exactly this many bytes of JSON data. */
const eventOfBytes = (bytes: number): NewEvent => newEvent({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

const expectRejected = async (store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> => {
  await expect(store.append(stream, 'any', events)).rejects.toThrow(InvalidAppendError)
  expect(await store.end()).toBe('start')
}

export const appendRules = (test: StoreTest): void => {
  test('ES-1 revisions count from 0 in each stream', async ({ store }) => {
    await record(store, 'cat-a', newEvents(2))
    await record(store, 'cat-b', newEvents(1))
    await record(store, 'cat-a', newEvents(1))
    expect((await readAll(store, 'cat-a')).map((event) => event.revision)).toEqual([0, 1, 2])
    expect((await readAll(store, 'cat-b')).map((event) => event.revision)).toEqual([0])
  })

  test('ES-2 reads what JSON makes of the appended data', async ({ store, reopen }) => {
    const data = {
      text: 'é 漢字 🙂 \u0000 \ud800 " \\',
      list: [1, -0.5, null, { deep: true }],
      gone: undefined,
      none: {},
    }
    const occurredAt = '2026-03-01T09:00:00.000Z'
    const metadata = {
      correlationId: 'c',
      causationId: 'd',
      actorId: 'ü',
      apiKeyId: 'k',
      occurredAt,
      traceparent: '00-1-2-01',
    }
    const event = { id: randomUUID(), type: 'Größe 🙂', data, metadata }
    await record(store, 'cat-a', [event])
    const expected = { kind: 'event', id: event.id, type: event.type, stream: 'cat-a', metadata }
    const check = async (opened: EventStore): Promise<void> => {
      const [read] = await readAll(opened, 'cat-a')
      expect(read).toMatchObject(expected)
      expect(read?.data).toStrictEqual({ text: data.text, list: data.list, none: {} })
    }
    await check(store)
    await check(await reopen())
  })

  test('ES-2 reads empty metadata if none was appended', async ({ store }) => {
    await record(store, 'cat-a', [newEvent()])
    expect((await readAll(store, 'cat-a')).map((event) => event.metadata)).toEqual([{}])
  })

  test('ES-2 later changes of an appended object have no effect', async ({ store }) => {
    const data = { list: ['as appended'] }
    const appending = record(store, 'cat-a', [newEvent(data)])
    data.list.push('later')
    await appending
    expect((await readAll(store, 'cat-a')).map((event) => event.data)).toEqual([{ list: ['as appended'] }])
  })

  const names = [
    'cat-é',
    'cat-e\u0301',
    'cat-É',
    'cat- ',
    'cat-a/b?c=d#e%20',
    "cat-'; --",
    'cat-漢字🙂',
    'cat--',
    'Cat-é',
    'cat2-é',
  ]
  test('ES-3 preserves and distinguishes stream names exactly', async ({ store, reopen }) => {
    const longest = `cat-${'x'.repeat(246)}`
    for (const name of [...names, longest]) await record(store, name, [newEvent({ name })])
    const reopened = await reopen()
    for (const name of [...names, longest]) {
      const events = await readAll(reopened, name)
      expect(events.map(({ stream, revision, data }) => ({ stream, revision, data }))).toEqual([
        { stream: name, revision: 0, data: { name } },
      ])
    }
  })

  test('ES-3 rejects an invalid stream name', async ({ store }) => {
    const invalid = [
      '',
      'cat',
      'cat-',
      '-a',
      '$cat-a',
      '1cat-a',
      'c at-a',
      'çat-a',
      'cat-\n',
      'cat-a\u0000',
      'cat-\ud800',
    ]
    for (const name of [...invalid, `cat-${'x'.repeat(247)}`]) await expectRejected(store, name, newEvents(1))
  })

  test('ES-4 the time is ISO 8601 with milliseconds', async ({ store }) => {
    await record(store, 'cat-a', newEvents(1))
    const [event] = await readAll(store, 'cat-a')
    expect(event?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('ES-5 an append at the expected revision succeeds', async ({ store }) => {
    expect(await store.append('cat-a', 'no-stream', newEvents(2))).toMatchObject({ kind: 'appended', revision: 1 })
    expect(await store.append('cat-a', 1, newEvents(1))).toMatchObject({ kind: 'appended', revision: 2 })
    expect(await store.append('cat-a', 'any', newEvents(1))).toMatchObject({ kind: 'appended', revision: 3 })
    expect(await store.append('cat-b', 'any', newEvents(1))).toMatchObject({ kind: 'appended', revision: 0 })
  })

  test('ES-5 rejects a number that is not a revision', async ({ store }) => {
    for (const expected of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(store.append('cat-a', expected, newEvents(1))).rejects.toThrow(InvalidAppendError)
    }
    expect(await readAll(store, 'cat-a')).toEqual([])
  })

  test('ES-6 the answer names the last event appended', async ({ store }) => {
    await record(store, 'cat-b', newEvents(3))
    const answer = await record(store, 'cat-a', newEvents(3))
    const last = (await readAll(store, 'cat-a')).at(-1)
    expect(answer).toEqual({ kind: 'appended', revision: 2, position: last?.position })
  })

  test('ES-7 a conflict reports the actual revision', async ({ store, reopen }) => {
    expect(await store.append('cat-a', 0, newEvents(1))).toEqual({ kind: 'conflict', actualRevision: 'no-stream' })
    await record(store, 'cat-a', newEvents(2))
    const check = async (opened: EventStore): Promise<void> => {
      for (const expected of ['no-stream', 0, 2, 7] as const) {
        expect(await opened.append('cat-a', expected, newEvents(1))).toEqual({ kind: 'conflict', actualRevision: 1 })
      }
      expect(await readAll(opened, 'cat-a')).toHaveLength(2)
    }
    await check(store)
    await check(await reopen())
  })

  test('ES-7 conflicts among concurrent appends report the revision before them', async ({ store }) => {
    const answers = await Promise.all([
      store.append('cat-a', 'no-stream', newEvents(3)),
      store.append('cat-a', 'no-stream', newEvents(1)),
      store.append('cat-a', 2, newEvents(1)),
    ])
    expect(answers).toMatchObject([
      { kind: 'appended', revision: 2 },
      { kind: 'conflict', actualRevision: 2 },
      { kind: 'appended', revision: 3 },
    ])
  })

  test('ES-8 the events of an append stay together', async ({ store }) => {
    const appends = Array.from({ length: 20 }, () => newEvents(7))
    await Promise.all(appends.map((events) => record(store, 'cat-a', events)))
    const read = idsOf(await readAll(store, 'cat-a'))
    const chunks = Array.from({ length: 20 }, (_, n) => read.slice(n * 7, n * 7 + 7))
    expect(new Set(chunks.map(String))).toEqual(new Set(appends.map((events) => String(idsOf(events)))))
  })

  test('ES-8 records nothing of an append that is rejected for its last event', async ({ store }) => {
    const taken = newEvent()
    await record(store, 'cat-a', [taken])
    await expect(store.append('cat-a', 'any', [...newEvents(5), taken])).rejects.toThrow(EventIdReusedError)
    expect(idsOf(await readAll(store, 'cat-a'))).toEqual([taken.id])
    expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ revision: 1 })
  })

  test('ES-9 exactly one of several appends at the same revision succeeds', async ({ store }) => {
    await record(store, 'cat-a', newEvents(1))
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.append('cat-a', 0, newEvents(1))))
    expect(answers.filter((answer) => answer.kind === 'appended')).toHaveLength(1)
    expect(await readAll(store, 'cat-a')).toHaveLength(2)
  })

  test('ES-13 an append has 1 to 1,000 events', async ({ store }) => {
    await expectRejected(store, 'cat-a', [])
    await expectRejected(store, 'cat-a', newEvents(appendLimits.events + 1))
    expect(await record(store, 'cat-a', newEvents(appendLimits.events))).toMatchObject({ revision: 999 })
    expect(await readAll(store, 'cat-a')).toHaveLength(appendLimits.events)
  })

  test('ES-13 an append has at most 1 MiB of JSON', async ({ store }) => {
    await expectRejected(store, 'cat-a', [eventOfBytes(appendLimits.jsonBytes + 1)])
    await expectRejected(store, 'cat-a', [eventOfBytes(appendLimits.jsonBytes - 50), eventOfBytes(51)])
    await expectRejected(store, 'cat-a', [newEvent({ text: 'é'.repeat(appendLimits.jsonBytes / 2) })])
    await expectRejected(store, 'cat-a', [{ ...eventOfBytes(appendLimits.jsonBytes), metadata: { actorId: 'a' } }])
    expect(await record(store, 'cat-a', [eventOfBytes(appendLimits.jsonBytes)])).toMatchObject({ revision: 0 })
    expect(await readAll(store, 'cat-a')).toHaveLength(1)
  })

  test('ES-13 an event has a UUID and a type', async ({ store }) => {
    for (const id of ['', '1', randomUUID().toUpperCase(), `${randomUUID()}0`]) {
      await expectRejected(store, 'cat-a', [{ ...newEvent(), id }])
    }
    for (const type of ['', 'x'.repeat(appendLimits.typeChars + 1), '\ud800']) {
      await expectRejected(store, 'cat-a', [newEvent({}, type)])
    }
    await record(store, 'cat-a', [newEvent({}, 'x'.repeat(appendLimits.typeChars))])
  })

  test('ES-14 acknowledged events survive reopening', async ({ store, reopen }) => {
    const events = newEvents(5)
    await record(store, 'cat-a', events)
    const before = await readAll(store, 'cat-a')
    const reopened = await reopen()
    expect(await readAll(reopened, 'cat-a')).toEqual(before)
    expect(await reopened.append('cat-a', 4, newEvents(1))).toMatchObject({ kind: 'appended', revision: 5 })
  })

  test('ES-15 a rejected append does not affect concurrent ones', async ({ store }) => {
    const taken = newEvent()
    await record(store, 'cat-a', [taken])
    const [first, reused, conflicting, last] = await Promise.allSettled([
      store.append('cat-a', 'any', newEvents(2)),
      store.append('cat-a', 'any', [newEvent(), taken]),
      store.append('cat-a', 'no-stream', newEvents(1)),
      store.append('cat-a', 2, newEvents(1)),
    ])
    expect(first).toMatchObject({ status: 'fulfilled', value: { kind: 'appended', revision: 2 } })
    expect(reused).toMatchObject({ status: 'rejected' })
    expect(conflicting).toMatchObject({ status: 'fulfilled', value: { kind: 'conflict', actualRevision: 2 } })
    expect(last).toMatchObject({ status: 'fulfilled', value: { kind: 'appended', revision: 3 } })
    expect(await readAll(store, 'cat-a')).toHaveLength(4)
  })
}
