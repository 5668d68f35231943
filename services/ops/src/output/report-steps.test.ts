import { expect, it } from 'vitest'
import { reportSteps } from './report-steps.ts'

const outputOf = (isTTY: boolean, asJson: boolean) => {
  let text = ''
  let nowMs = 0
  const steps = reportSteps({ isTTY, write: (more) => (text += more) }, asJson, () => nowMs)
  return {
    at: (ms: number, step: string) => {
      nowMs = ms
      steps.report({ step }, () => step)
    },
    end: steps.end,
    text: () => text,
  }
}

it('is silent for two seconds, then reports periodically', () => {
  const output = outputOf(false, false)
  for (const ms of [0, 1_999, 2_000, 2_001, 3_999, 4_000]) output.at(ms, `step ${ms}`)
  output.end()
  expect(output.text()).toBe('… step 2000\n… step 4000\n')
})

it('writes JSON lines for programs, even to a terminal', () => {
  const output = outputOf(true, true)
  output.at(2_000, 'copying')
  output.end()
  expect(output.text()).toBe('{"step":"copying"}\n')
})

it('overwrites its line on a terminal and removes it at the end', () => {
  const output = outputOf(true, false)
  output.at(2_000, 'one')
  output.at(2_100, 'two')
  output.end()
  expect(output.text()).toBe('\r\u001b[2K… one\r\u001b[2K… two\r\u001b[2K')
})
