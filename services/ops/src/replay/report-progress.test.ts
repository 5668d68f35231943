import type { Position } from '@portal/platform/event-store/port'
import { expect, it } from 'vitest'
import { readingProgress, reportProgress } from './report-progress.ts'

// Positions normally come from a store.
const at = (text: string): Position => text as Position
const reading = (events: number, position: string, until = '0000000000001000') =>
  ({ step: 'reading', events, position: at(position), until: at(until) }) as const

const output = (isTTY: boolean) => {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => void written.push(text) }
}

it('shows the rate, and the remaining time if positions are numeric', () => {
  expect(readingProgress(reading(500, '0000000000000250'), 2_000)).toEqual({
    step: 'reading',
    events: 500,
    eventsPerSecond: 250,
    share: 0.25,
    leftMs: 6_000,
  })
  expect(readingProgress(reading(500, 'opaque', 'opaquer'), 2_000)).toEqual({
    step: 'reading',
    events: 500,
    eventsPerSecond: 250,
  })
})

it('updates one terminal line at a limited rate and removes it at the end', () => {
  const terminal = output(true)
  const progress = reportProgress(terminal, false)
  for (let n = 1; n <= 1_000; n++) progress.onProgress(reading(n, String(n).padStart(16, '0')))
  expect(terminal.written.length).toBeLessThan(500)
  expect(terminal.written.join('')).not.toContain('\n')
  progress.end()
  expect(terminal.written.at(-1)).toBe('\r\u001b[2K')
})

it('uses the singular for one event', () => {
  const log = output(false)
  reportProgress(log, false).onProgress(reading(1, 'opaque', 'opaquer'))
  expect(log.written.join('')).toMatch(/\b1 event, /)
})

it('writes JSON lines for programs, even to a terminal', () => {
  const program = output(true)
  const progress = reportProgress(program, true)
  progress.onProgress({ step: 'taking digests' })
  progress.onProgress(reading(1, '0000000000000500'))
  progress.onProgress(reading(2, '0000000000000600'))
  progress.onProgress({ step: 'switching' })
  progress.end()
  const steps = program.written.map((line) => (JSON.parse(line) as { step: string }).step)
  expect(steps).toEqual(['taking digests', 'reading', 'switching'])
})
