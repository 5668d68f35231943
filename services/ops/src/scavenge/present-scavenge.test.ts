import { expect, it } from 'vitest'
import { reportSteps } from '../output/report-steps.ts'
import { scavengedText, scavengeProgressText } from './present-scavenge.ts'

const scavenged = { at: 'esdb://es1:2113', nodes: ['es1:2113'], erasedKeys: 3, left: 0, tookMs: 12_300 }

it('says what was removed from where, and what was erased meanwhile', () => {
  expect(scavengedText(scavenged)).toBe('Scavenged esdb://es1:2113 in 12 s: 3 erased keys removed from disk.')
  expect(scavengedText({ ...scavenged, nodes: ['es1:2113', 'es2:2113', 'es3:2113'], left: 1 })).toBe(
    'Scavenged esdb://es1:2113 on 3 nodes in 12 s: 2 erased keys removed from disk. 1 key erased since then: run make scavenge again.',
  )
})

const reporting = (isTTY: boolean, isForPrograms: boolean) => {
  let now = 0
  const written: string[] = []
  const report = reportSteps({ isTTY, write: (text) => written.push(text) }, isForPrograms, () => now)
  const at = (ms: number): void => {
    now = ms
    const progress = { step: 'scavenging', node: 'es1:2113', steps: 4 } as const
    report.report(progress, () => scavengeProgressText(progress))
  }
  return { at, written, report }
}

it('shows progress after two seconds, then every two', () => {
  const { at, written } = reporting(false, false)
  for (const ms of [0, 1_900, 2_000, 3_900, 4_000]) at(ms)
  expect(written).toEqual(Array.from({ length: 2 }, () => '… scavenging es1:2113, 4 steps done\n'))
})

it('writes JSON lines for programs, and leaves a terminal as it was', () => {
  const programs = reporting(true, true)
  programs.at(2_500)
  expect(programs.written.map((line) => JSON.parse(line))).toEqual([{ step: 'scavenging', node: 'es1:2113', steps: 4 }])
  const terminal = reporting(true, false)
  terminal.at(2_500)
  terminal.report.end()
  expect(terminal.written.at(-1)).toBe('\r\u001b[2K')
})
