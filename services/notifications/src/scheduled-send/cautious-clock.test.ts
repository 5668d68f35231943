import { expect, it } from 'vitest'
import { createCautiousClock } from './cautious-clock.ts'

const [minuteMs, dayMs] = [60_000, 86_400_000]
const startMs = Date.parse('2026-12-01T03:30:00.000Z')

/** A machine on which `pass` lets time go by, read every second as the process does, and `set` changes the clock. */
const machine = () => {
  let [elapsed, offsetMs] = [5_000, 0]
  const read = createCautiousClock({
    now: () => new Date(startMs + elapsed - 5_000 + offsetMs),
    elapsedMs: () => elapsed,
  })
  read()
  return {
    read: () => read() - startMs,
    set: (byMs: number): void => void (offsetMs += byMs),
    pass: (ms: number): number => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        elapsed += 1_000
        read()
      }
      return read() - startMs
    },
  }
}

it('goes with the clock of the machine', () => {
  expect(machine().pass(10 * minuteMs)).toBe(10 * minuteMs)
})

it('follows a clock that is set forward after an hour', () => {
  const { set, pass } = machine()
  pass(minuteMs)
  set(dayMs)
  expect(pass(60 * minuteMs)).toBe(61 * minuteMs)
  expect(pass(1_000)).toBe(dayMs + 61 * minuteMs + 1_000)
})

it('goes on as if nothing had been, if the clock is corrected within an hour', () => {
  const { set, pass } = machine()
  set(dayMs)
  pass(30 * minuteMs)
  set(-dayMs)
  expect(pass(90 * minuteMs)).toBe(120 * minuteMs)
})

it('follows a clock that is set back at once', () => {
  const { set, pass, read } = machine()
  pass(minuteMs)
  set(-dayMs)
  expect(read()).toBe(minuteMs - dayMs)
})
