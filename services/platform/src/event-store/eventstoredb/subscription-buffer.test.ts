import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStoreUnavailableError } from '../errors.ts'
import { itemsOf } from './read.ts'
import { bufferSubscription } from './subscription-buffer.ts'
import { until } from '../../../testing/until.ts'

const cancel = async (): Promise<void> => undefined
const same = (item: string): string => item

test('pauses the stream while the reader is slow, and loses nothing', async () => {
  let made = 0
  const stream = new Readable({
    objectMode: true,
    read() {
      made += 1
      this.push(made > 1_000 ? null : String(made))
    },
  })
  const { buffer } = bufferSubscription({ stream, cancel }, same)
  await buffer.changed()
  for (let turns = 0; turns < 100; turns++) await nextTurn()
  expect(made).toBeLessThan(100)
  const taken: string[] = []
  while (buffer.ending() === undefined) {
    const item = buffer.take()
    if (item === undefined) await buffer.changed()
    else taken.push(item)
  }
  expect(taken).toEqual(Array.from({ length: 1_000 }, (_, n) => String(n + 1)))
})

test('delivers a note after the earlier data, even while the stream is paused', async () => {
  const stream = new PassThrough({ objectMode: true, highWaterMark: 1_000 })
  const { buffer, addNote } = bufferSubscription({ stream, cancel }, same)
  for (let n = 0; n < 100; n++) stream.write(`data ${n}`)
  await buffer.changed()
  await until(() => expect(stream.isPaused()).toBe(true))
  addNote('note', () => false)
  stream.write('later')
  const taken: string[] = []
  while (taken.at(-1) !== 'later') {
    const item = buffer.take()
    if (item === undefined) await buffer.changed()
    else taken.push(item)
  }
  expect(taken.slice(-3)).toEqual(['data 99', 'note', 'later'])
  expect(taken).toHaveLength(102)
})

test('replaces notes that have not been taken', async () => {
  const stream = new PassThrough({ objectMode: true })
  const { buffer, addNote } = bufferSubscription({ stream, cancel }, same)
  for (let n = 0; n < 1_000; n++) addNote(`note ${n}`, (other) => other.startsWith('note'))
  expect(buffer.take()).toBe('note 999')
  expect(buffer.take()).toBeUndefined()
})

test('reports an error after the earlier data, and stop ends the wait', async () => {
  const stream = new PassThrough({ objectMode: true })
  const { buffer } = bufferSubscription({ stream, cancel }, same)
  stream.write('data')
  await buffer.changed()
  stream.destroy(new Error('dropped'))
  await nextTurn()
  expect(buffer.ending()).toBeUndefined()
  expect(buffer.take()).toBe('data')
  expect(buffer.ending()).toMatchObject({ error: { message: 'dropped' } })

  const idle = bufferSubscription({ stream: new PassThrough({ objectMode: true }), cancel }, same).buffer
  const waiting = idle.changed()
  idle.stop()
  await waiting
  expect(idle.ending()).toEqual({})
})

test('a reader waits once for a call that delivers nothing, also with a fraction of a millisecond', async () => {
  const { buffer } = bufferSubscription({ stream: new PassThrough({ objectMode: true }), cancel }, same)
  let waits = 0
  const counting: typeof buffer = {
    ...buffer,
    changed: (timeoutMs) => {
      waits++
      return buffer.changed(timeoutMs)
    },
  }
  await expect(itemsOf(counting, 20.9).next()).rejects.toThrow(EventStoreUnavailableError)
  expect(waits).toBe(1)
})
