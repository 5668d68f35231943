import { setTimeout as pause } from 'node:timers/promises'

const patienceMs = 10_000

/** Asks until the answer is not undefined or false; throws when that takes too long. */
export const waitFor = async <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> => {
  const deadlineMs = Date.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadlineMs) throw new Error(`In vain waited for ${what}`)
    await pause(5)
  }
}
