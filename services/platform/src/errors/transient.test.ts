import { expect, it } from 'vitest'
import { ReadModelUnavailableError } from '../read-model/errors.ts'
import { unlessAway } from './transient.ts'

it('is what came of it, or false where an engine was away', async () => {
  expect(await unlessAway(Promise.resolve(true))).toBe(true)
  expect(await unlessAway(Promise.reject(new ReadModelUnavailableError('redis does not answer')))).toBe(false)
})

it('lets through what is no passing state', async () => {
  await expect(unlessAway(Promise.reject(new TypeError('a mistake')))).rejects.toThrow('a mistake')
})
