import { createInterface } from 'node:readline/promises'
import { CommandError } from '../command.ts'
import { type Environment, isOn } from '../output/print.ts'

/** Asks at a terminal, unless YES=1 says it already. Where nobody can be asked, YES=1 is needed. */
export const confirm = async (environment: Environment, question: string): Promise<boolean> => {
  if (isOn(environment, 'YES')) return true
  if (!process.stdin.isTTY || isOn(environment, 'JSON'))
    throw new CommandError(`${question} There is nobody to ask: say so by YES=1`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
