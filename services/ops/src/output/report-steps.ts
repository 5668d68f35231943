import { performance } from 'node:perf_hooks'
import { type Environment, isJsonOutput } from './print.ts'

/** Shorter commands report no progress. */
const quietMs = 2_000
/** A terminal line is updated often; programs and log files get fewer lines. */
const everyMs = { terminal: 100, otherwise: 2_000 } as const

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Writes progress as JSON lines, as one updated line on a terminal, or as plain lines. */
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

/** Reports the steps of a long command. */
export const reportSteps = (output: Output, asJson: boolean, nowMs: () => number = () => performance.now()) => {
  const { pauseMs, show, end } = progressOutput(output, asJson)
  const startedAtMs = nowMs()
  let shownMs = Number.NEGATIVE_INFINITY

  return {
    /** Calls `text` only when it is shown. */
    report(data: { readonly step: string }, text: () => string): void {
      const atMs = nowMs()
      if (atMs - startedAtMs < quietMs || atMs - shownMs < pauseMs) return
      shownMs = atMs
      show(data, text())
    },
    end,
  }
}

/** Reports steps on standard output for programs, otherwise on standard error. */
export const reportOwnSteps = (environment: Environment) => {
  const asJson = isJsonOutput(environment)
  return reportSteps(asJson ? process.stdout : process.stderr, asJson)
}

/** Prints the result of a command that reports steps: as last JSON line, or as text. */
export const printResult = (environment: Environment, data: object, text: () => string): void => {
  const result = isJsonOutput(environment) ? JSON.stringify({ step: 'done', ...data }) : text().trimEnd()
  process.stdout.write(`${result}\n`)
}
