import { performance } from 'node:perf_hooks'
import { type Environment, isForPrograms } from './print.ts'

/** A command that is done sooner reports no progress. */
const quietMs = 2_000
/** People read a line that changes; programs and log files get one now and then. */
const everyMs = { terminal: 100, otherwise: 2_000 } as const

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Where progress is shown: JSON lines for programs, on a terminal one line that is written over, elsewhere a line each. */
export const progressOutput = (output: Output, asJson: boolean) => {
  const isTerminal = output.isTTY === true && !asJson
  let isLineOpen = false

  return {
    pauseMs: isTerminal ? everyMs.terminal : everyMs.otherwise,
    show(data: object, text: string): void {
      if (asJson) output.write(`${JSON.stringify(data)}\n`)
      else output.write(isTerminal ? `\r\u001b[2K… ${text}` : `… ${text}\n`)
      isLineOpen = isTerminal
    },
    /** Removes the line from a terminal. */
    end(): void {
      if (isLineOpen) output.write('\r\u001b[2K')
      isLineOpen = false
    },
  }
}

/** Reports the steps of a command that takes long. */
export const reportSteps = (output: Output, asJson: boolean, nowMs: () => number = () => performance.now()) => {
  const { pauseMs, show, end } = progressOutput(output, asJson)
  const begunMs = nowMs()
  let shownMs = Number.NEGATIVE_INFINITY

  return {
    /** `text` is made when it is shown. */
    report(data: { readonly step: string }, text: () => string): void {
      const atMs = nowMs()
      if (atMs - begunMs < quietMs || atMs - shownMs < pauseMs) return
      shownMs = atMs
      show(data, text())
    },
    end,
  }
}

/** The same for a command whose steps programs read from standard output, as they read its result. */
export const reportOwnSteps = (environment: Environment) => {
  const asJson = isForPrograms(environment)
  return reportSteps(asJson ? process.stdout : process.stderr, asJson)
}

/** The result of a command that reports its steps: the last line for programs, text for people. */
export const printResult = (environment: Environment, data: object, text: () => string): void => {
  const result = isForPrograms(environment) ? JSON.stringify({ step: 'done', ...data }) : text().trimEnd()
  process.stdout.write(`${result}\n`)
}
