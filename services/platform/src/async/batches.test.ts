import { expect, it } from 'vitest'
import { batchIterable } from './batches.ts'

async function* numbers(count: number, onTaken: (n: number) => void = () => undefined) {
  for (let n = 1; n <= count; n++) {
    onTaken(n)
    yield n
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('batches what arrives while the consumer is busy, in order and complete', async () => {
  const batches: number[][] = []
  for await (const batch of batchIterable(() => numbers(250), 100)) {
    batches.push([...batch])
    await turn()
  }
  expect(batches.flat()).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(100)
  expect(batches.length).toBeLessThan(10)
})

it('delivers the first item of a quiet source without waiting for a second', async () => {
  async function* quiet() {
    yield 1
    await new Promise<never>(() => {})
  }
  const { value } = await batchIterable(quiet, 100).next()
  expect(value).toEqual([1])
})

it('reads at most maxSize items ahead', async () => {
  let furthest = 0
  const batches = batchIterable(() => numbers(1_000, (n) => (furthest = n)), 10)
  await batches.next()
  await turn()
  expect(furthest).toBeLessThanOrEqual(21)
  await batches.return()
})

it('rejects with the error of the source, after the earlier items', async () => {
  async function* failing() {
    yield 1
    yield 2
    throw new Error('gone')
  }
  const seen: number[] = []
  const consume = async () => {
    for await (const batch of batchIterable(failing, 10)) seen.push(...batch)
  }
  await expect(consume()).rejects.toThrow('gone')
  expect(seen).toEqual([1, 2])
})

it('aborts the signal of a waiting source when the loop is left early or fails', async () => {
  for (const isFailing of [false, true]) {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    async function* live(signal: AbortSignal) {
      yield 1
      await new Promise<void>((aborted) => signal.addEventListener('abort', () => aborted()))
      resolve()
    }
    const leave = async () => {
      for await (const batch of batchIterable(live, 10))
        if (isFailing) throw new Error(`no use for ${batch.length}`)
        else return
    }
    const outcome = await leave().catch(String)
    expect(outcome).toBe(isFailing ? 'Error: no use for 1' : undefined)
    await expect(ended).resolves.toBeUndefined()
  }
})
