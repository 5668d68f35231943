import { notificationIdAt } from '@portal/notifications/testing/samples'
import { expect, it } from 'vitest'
import { createSendTimes } from './send-times.ts'

const graceMs = 4_000
const startMs = Date.UTC(2026, 0, 1)
const at = (ms: number) => ({ wallMs: startMs + ms, steadyMs: startMs + ms })
const delivery = (bucket: string, sentMs: number) => ({
  notificationId: notificationIdAt(1),
  attempt: 1,
  bucket,
  sentAt: new Date(startMs + sentMs).toISOString(),
})

it('gives each bucket of a large campaign the whole grace period from its own arrival', () => {
  const times = createSendTimes(graceMs)
  const [first, last] = [delivery('b00', 0), delivery('b63', 9_000)]
  times.arrived(first, at(0))
  times.arrived(last, at(9_000))
  expect(times.dueAtMs(first, at(9_000))).toBe(startMs + graceMs)
  expect(times.dueAtMs(last, at(9_000))).toBe(startMs + 9_000 + graceMs)
  expect(times.ageMs(last, at(10_000))).toBe(1_000)
})

it('waits for at most the grace period for a delivery that was found at startup', () => {
  const times = createSendTimes(graceMs)
  const found = delivery('b00', 0)
  expect(times.hasArrived(found)).toBe(false)
  expect(times.dueAtMs(found, at(1_000))).toBe(startMs + graceMs)
})

const dayMs = 86_400_000

it('expires nothing that the store recorded while its clock was a day behind', () => {
  const times = createSendTimes(graceMs)
  const behind = delivery('b00', -dayMs)
  times.arrived(behind, { wallMs: startMs - dayMs, steadyMs: startMs })
  expect(times.ageMs(behind, at(5_000))).toBe(5_000)
})

it('knows the age of a send that arrives late or is found at startup, also with a clock that was ahead', () => {
  const times = createSendTimes(graceMs)
  const [late, found, ahead] = [delivery('b00', -dayMs), delivery('b01', -dayMs), delivery('b02', -1_000)]
  times.arrived(late, at(0))
  expect(times.ageMs(late, at(5_000))).toBe(dayMs + 5_000)
  expect(times.ageMs(found, at(5_000))).toBe(dayMs + 5_000)
  expect(times.ageMs(ahead, { wallMs: startMs + dayMs, steadyMs: startMs + dayMs })).toBe(dayMs + 1_000)
  expect(times.ageMs(ahead, { wallMs: startMs + 5_000, steadyMs: startMs + dayMs + 5_000 })).toBe(6_000)
})
