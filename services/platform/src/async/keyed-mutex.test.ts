import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

const trace = () => {
  const log: string[] = []
  const runExclusive = createKeyedMutex()
  const run = (key: string, name: string, outcome: () => string = () => name) =>
    runExclusive(key, async () => {
      log.push(`${name} begins`)
      await nextTurn()
      log.push(`${name} ends`)
      return outcome()
    })
  return { log, run }
}

test('runs the work of one key one after the other, in order', async () => {
  const { log, run } = trace()
  expect(await Promise.all([run('k', 'a'), run('k', 'b'), run('k', 'c')])).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('runs the work of different keys concurrently', async () => {
  const { log, run } = trace()
  await Promise.all([run('k', 'a'), run('l', 'b')])
  expect(log).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
})

test('rejects only for the caller whose work fails', async () => {
  const { run } = trace()
  const failing = run('k', 'a', () => {
    throw new Error('no')
  })
  const next = run('k', 'b')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('b')
  expect(await run('k', 'c')).toBe('c')
})
