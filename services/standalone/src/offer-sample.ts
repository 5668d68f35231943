import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import type { EventStore } from '@portal/platform/event-store/port'
import { categoryOf } from '@portal/platform/event-store/stream-name'
import { type SeedRequest, defaultLearnerCount } from '@portal/sample-data/seed-portal'

/** The categories of an unused portal: its first admin, who may have logged in, and universities. */
const ownCategories: ReadonlySet<string> = new Set(['setup', 'university', 'session'])
const accountCategories: ReadonlySet<string> = new Set(['registration', 'user'])
/** A portal with more events is not empty. */
const maxEvents = 200

/** Whether a portal has only its initial data. Reads at most the beginning of the log. */
export const isEmptyPortal = async (eventStore: Pick<EventStore, 'subscribe'>): Promise<boolean> => {
  const abort = new AbortController()
  const accounts = new Map<string, string>()
  let events = 0
  try {
    for await (const event of eventStore.subscribe('start', 'all', abort.signal)) {
      if (event.kind === 'caught-up') return true
      if (++events > maxEvents) return false
      const category = categoryOf(event.stream)
      if (ownCategories.has(category)) continue
      if (!accountCategories.has(category)) return false
      const known = accounts.get(category) ?? event.stream
      if (known !== event.stream) return false
      accounts.set(category, known)
    }
    return false
  } finally {
    abort.abort()
  }
}

const offer = 'This portal is empty. Add sample programs, learners and notifications?'
const answerTimeoutMs = 60_000

type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
}

type Asking = Terminal & {
  readonly question: string
  /** A timeout means no. */
  readonly timeoutMs: number
}

/** Asks at the terminal. Returns false for any answer except yes, for a timeout, and at the end of the input. */
export const askYesOrNo = async ({ question, input, output, timeoutMs }: Asking): Promise<boolean> => {
  // Not in terminal mode, so that Ctrl-C keeps its meaning.
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

/** Offers sample data for an empty portal. Undefined without a terminal, or if the answer is no. */
export const offerSample = async ({ input, output }: Terminal): Promise<SeedRequest | undefined> => {
  if (input.isTTY !== true || output.isTTY !== true) return undefined
  if (!(await askYesOrNo({ question: offer, input, output, timeoutMs: answerTimeoutMs }))) return undefined
  output.write('Adding sample data…\n')
  return { learners: defaultLearnerCount, password: generatePassword(), withSample: true }
}
