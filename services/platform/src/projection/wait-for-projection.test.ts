import { expect, it } from 'vitest'
import type { Position } from '../event-store/port.ts'
import { ReadModelUnavailableError } from '../read-model/errors.ts'
import { waitForProjection } from './wait-for-projection.ts'

const projection = { name: 'inbox' }
const partition = 'b07'

const answering = (answer: () => Promise<boolean>) => {
  const asked: unknown[][] = []
  return { asked, readModel: { whenApplied: (...args: unknown[]) => (asked.push(args), answer()) } }
}

it('resolves to the result of the read model', async () => {
  for (const answer of [true, false]) {
    const { asked, readModel } = answering(() => Promise.resolve(answer))
    const wanted = { projection, partition, messagePosition: '07:01', timeoutMs: 5 }
    expect(await waitForProjection(readModel, wanted)).toBe(answer)
    expect(asked).toEqual([['inbox', 'b07', '07:01', 5]])
  }
})

it("waits two seconds by default, for the event's first message", async () => {
  const { asked, readModel } = answering(() => Promise.resolve(true))
  const eventPosition = '07' as Position
  await waitForProjection(readModel, { projection, partition, eventPosition })
  expect(asked).toEqual([['inbox', 'b07', '07:00', 2_000]])
})

it('is false while the read model is unavailable, and rejects with any other error', async () => {
  const failing = (error: Error) => {
    const { readModel } = answering(async () => {
      throw error
    })
    return waitForProjection(readModel, { projection, partition, messagePosition: '07:00' })
  }
  expect(await failing(new ReadModelUnavailableError('redis does not answer'))).toBe(false)
  await expect(failing(new TypeError('a mistake'))).rejects.toThrow('a mistake')
})
