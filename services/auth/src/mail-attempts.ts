import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import { UnconfirmedError } from '@portal/platform/outbound/port'
import { refusesMessageOnly } from '@portal/platform/outbound/smtp-mail'

/** 'refused': this mail was not accepted, or perhaps it was. 'server-down': none would be, whatever its recipient. */
export type MailOutcome = 'settled' | 'refused' | 'server-down'

export const outcomeOfFailure = (error: unknown): MailOutcome =>
  refusesMessageOnly(error) || error instanceof UnconfirmedError ? 'refused' : 'server-down'

/** A message that comes again after the start. */
class StoppingError extends Error {
  override readonly name = 'StoppingError'
  readonly isUserFacing = true
  constructor() {
    super('the process stops before the mail server works')
  }
}

/** The server works again within minutes of the next attempt. */
const maxDelayMs = 300_000

/** Attempts mails, each until the server works. `delaysMs` are those after its first failures; the last one repeats. */
export const createMailAttempts = (delaysMs: readonly number[]) => {
  const { signal, assertRunning, stop } = createRunningState(() => new StoppingError())

  /** Rejects if the process stops before. */
  const untilServerWorks = async (attempt: () => Promise<MailOutcome>): Promise<boolean> => {
    for (let n = 0; ; n++) {
      const outcome = await attempt()
      if (outcome !== 'server-down') return outcome === 'settled'
      const delayMs = delaysMs[n] ?? delaysMs.at(-1) ?? maxDelayMs
      await sleep(Math.min(delayMs, maxDelayMs), { signal })
      assertRunning()
    }
  }

  return {
    signal,
    assertRunning,
    stop,
    /** Returns whether nothing is left to do. */
    untilServerWorks,
    /** The same for a mail that was refused, which may be accepted later. */
    again: async (attempt: () => Promise<MailOutcome>): Promise<boolean> => {
      for (const delayMs of delaysMs) {
        await sleep(delayMs, { signal })
        assertRunning()
        if (await untilServerWorks(attempt)) return true
      }
      return false
    },
  }
}
