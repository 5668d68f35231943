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

it.each([true, false])('resolves to the result of the read model: %s', async (answer) => {
  const { asked, readModel } = answering(() => Promise.resolve(answer))
  expect(await waitForProjection(readModel, { projection, partition, messagePosition: '07:01', timeoutMs: 5 })).toBe(
    answer,
  )
  expect(asked).toEqual([['inbox', 'b07', '07:01', 5]])
})

it("waits two seconds by default, for the event's first message", async () => {
  const { asked, readModel } = answering(() => Promise.resolve(true))
  const eventPosition = '07' as Position
  await waitForProjection(readModel, { projection, partition, eventPosition })
  expect(asked).toEqual([['inbox', 'b07', '07:00', 2_000]])
})

it('is false while the read model is unavailable', async () => {
  const { readModel } = answering(() => Promise.reject(new ReadModelUnavailableError('redis does not answer')))
  expect(await waitForProjection(readModel, { projection, partition, messagePosition: '07:00' })).toBe(false)
})

it('rejects with any other error', async () => {
  const { readModel } = answering(() => Promise.reject(new TypeError('a mistake')))
  const waiting = waitForProjection(readModel, { projection, partition, messagePosition: '07:00' })
  await expect(waiting).rejects.toThrow('a mistake')
})
