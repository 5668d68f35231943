import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'

type Asking = {
  readonly question: string
  readonly input: Readable
  readonly output: Writable
  /** Who says nothing says no. */
  readonly timeoutMs: number
}

/** Asks whoever sits at the terminal. Anything but yes is no: another answer, none in time, the end of the input. */
export const askYesOrNo = async ({ question, input, output, timeoutMs }: Asking): Promise<boolean> => {
  // As no terminal: keys keep their meaning, Ctrl-C above all.
  const lines = createInterface({ input, output, terminal: false })
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const ended = once(lines, 'close', { signal: timeout }).then(() => '')
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal: timeout }), ended])
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    if (!timeout.aborted) throw error
    return false
  } finally {
    lines.close()
  }
}
