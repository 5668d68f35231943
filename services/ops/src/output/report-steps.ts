import { performance } from 'node:perf_hooks'
import { type Environment, isForPrograms } from './print.ts'

/** A command that is done sooner reports no progress. */
const quietMs = 2_000
/** People read a line that changes; programs and log files get one now and then. */
const everyMs = { terminal: 100, otherwise: 2_000 } as const

/** The result of a command that reports its steps: the last line for programs, text for people. */
export const printResult = (environment: Environment, data: object, text: () => string): void => {
  const result = isForPrograms(environment) ? JSON.stringify({ step: 'done', ...data }) : text().trimEnd()
  process.stdout.write(`${result}\n`)
}

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Reports the steps of a command that takes long: JSON lines for programs, text for people. */
export const reportSteps = (output: Output, asJson: boolean, nowMs: () => number = () => performance.now()) => {
  const isTerminal = output.isTTY === true && !asJson
  const pauseMs = isTerminal ? everyMs.terminal : everyMs.otherwise
  const begunMs = nowMs()
  let shownMs = Number.NEGATIVE_INFINITY
  let isLineOpen = false

  return {
    /** `text` is made when it is shown. */
    report(data: { readonly step: string }, text: () => string): void {
      const atMs = nowMs()
      if (atMs - begunMs < quietMs || atMs - shownMs < pauseMs) return
      shownMs = atMs
      if (asJson) output.write(`${JSON.stringify(data)}\n`)
      else if (isTerminal) {
        output.write(`\r\u001b[2K… ${text()}`)
        isLineOpen = true
      } else output.write(`… ${text()}\n`)
    },
    /** Removes the line from a terminal. */
    end(): void {
      if (isLineOpen) output.write('\r\u001b[2K')
      isLineOpen = false
    },
  }
}
export type StepReporter = ReturnType<typeof reportSteps>
