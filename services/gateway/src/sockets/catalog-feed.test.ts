import type { CatalogChanged } from '@portal/contracts/catalog/socket'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCatalogFeed } from './catalog-feed.ts'
import type { Applied } from './progress.ts'
import { programNumber } from '@portal/gateway/testing/sockets/programs'

const intervalMs = 200

let sent: { readonly atMs: number; readonly message: CatalogChanged }[]
/** Starts the feed with a projection that has applied everything, unless the test overrides it. */
const start = (programsApplied: Applied = () => Promise.resolve(true)) => {
  sent = []
  let position = 0
  const feed = createCatalogFeed({
    broadcast: (message) => void sent.push({ atMs: performance.now(), message }),
    programsApplied,
    logger: pino({ level: 'silent' }),
  })
  return {
    stop: feed.stop,
    changed: (message: CatalogChanged) => feed.changed(message, 'programs', positionText((position += 1))),
  }
}
const positionText = (position: number) => String(position).padStart(12, '0')
const messages = () => sent.map(({ message }) => message)

const saved = (number: number, name = `Program ${number}`): CatalogChanged => ({
  kind: 'program-saved',
  program: programNumber(number, { programName: name }),
})
const removedAt = '2026-11-21T10:00:00.000Z'
const removed = (number: number): CatalogChanged => ({
  kind: 'program-removed',
  programId: programNumber(number)._id,
  removedAt,
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a catalog change', () => {
  it('is sent at once if nothing was sent recently', async () => {
    const feed = start()
    feed.changed(saved(1))
    await vi.advanceTimersByTimeAsync(1)
    expect(messages()).toEqual([saved(1)])
  })

  it('is sent in order across programs', async () => {
    const feed = start()
    for (const message of [saved(2), saved(1), removed(3)]) feed.changed(message)
    await vi.advanceTimersByTimeAsync(1)
    expect(messages()).toEqual([saved(2), saved(1), removed(3)])
  })

  it('is sent once per interval in a burst for one program, and always after the last change', async () => {
    const feed = start()
    for (let save = 1; save <= 1_000; save++) {
      feed.changed(saved(1, `Save ${save}`))
      await vi.advanceTimersByTimeAsync(1)
    }
    await vi.advanceTimersByTimeAsync(intervalMs)
    expect(sent.length).toBeLessThanOrEqual(1_000 / intervalMs + 2)
    expect(messages().at(-1)).toEqual(saved(1, 'Save 1000'))
  })

  it('is spread over several intervals if there are many', async () => {
    const feed = start()
    for (let number = 1; number <= 50; number++) feed.changed(saved(number))
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(20)
    await vi.advanceTimersByTimeAsync(intervalMs)
    expect(sent).toHaveLength(40)
    await vi.advanceTimersByTimeAsync(intervalMs)
    expect(messages()).toEqual(Array.from({ length: 50 }, (_, n) => saved(n + 1)))
  })

  it('is spread over several intervals if they are large', async () => {
    const feed = start()
    const large = (number: number): CatalogChanged => saved(number, 'x'.repeat(700_000))
    for (const number of [1, 2, 3]) feed.changed(large(number))
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2 * intervalMs)
    expect(sent).toHaveLength(3)
  })

  it('waits for the projection, and later changes replace it', async () => {
    const held = Promise.withResolvers<boolean>()
    const awaited: string[] = []
    const feed = start((_partition, position) => {
      awaited.push(position)
      return held.promise
    })
    feed.changed(saved(1, 'First'))
    await vi.advanceTimersByTimeAsync(intervalMs)
    for (const name of ['Second', 'Third']) feed.changed(saved(1, name))
    await vi.advanceTimersByTimeAsync(10 * intervalMs)
    expect(sent).toEqual([])
    held.resolve(true)
    await vi.advanceTimersByTimeAsync(intervalMs)
    expect(messages()).toEqual([saved(1, 'First'), saved(1, 'Third')])
    expect(awaited).toEqual([positionText(1), positionText(3)])
  })

  it('asks again if the projection is behind or its progress is unavailable', async () => {
    const answers = [() => Promise.resolve(false), () => Promise.reject(new Error('away')), () => Promise.resolve(true)]
    const feed = start(() => (answers.shift() ?? (() => Promise.resolve(true)))())
    feed.changed(saved(1))
    await vi.advanceTimersByTimeAsync(1_001) // the pause after a failure
    expect(messages()).toEqual([saved(1)])
    expect(answers).toEqual([])
  })

  it('is not sent after the feed has stopped, even if it waited for the projection', async () => {
    const held = Promise.withResolvers<boolean>()
    const feed = start(() => held.promise)
    feed.changed(saved(1))
    await vi.advanceTimersByTimeAsync(1)
    feed.stop()
    held.resolve(true)
    await vi.advanceTimersByTimeAsync(intervalMs)
    expect(sent).toEqual([])
  })

  it('is not sent after the feed has stopped', async () => {
    const feed = start()
    feed.changed(saved(1))
    feed.stop()
    feed.changed(saved(2))
    await vi.advanceTimersByTimeAsync(intervalMs)
    expect(sent).toEqual([])
  })

  it('ends with the last version of every program, at most once per interval', async () => {
    const step = fc.record({ number: fc.integer({ min: 1, max: 5 }), pauseMs: fc.integer({ min: 0, max: 300 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const feed = start()
        for (const [n, { number, pauseMs }] of steps.entries()) {
          feed.changed(saved(number, `Save ${n}`))
          await vi.advanceTimersByTimeAsync(pauseMs)
        }
        await vi.advanceTimersByTimeAsync(2 * intervalMs)
        for (const number of new Set(steps.map((taken) => taken.number))) {
          const { _id } = programNumber(number)
          const about = sent.filter(({ message }) => message.kind === 'program-saved' && message.program._id === _id)
          const last = steps.findLastIndex((taken) => taken.number === number)
          expect(about.at(-1)?.message).toEqual(saved(number, `Save ${last}`))
          about.forEach(({ atMs }, n) =>
            expect(atMs - (about[n - 1]?.atMs ?? -intervalMs)).toBeGreaterThanOrEqual(intervalMs),
          )
        }
      }),
    )
  })
})
