import { createRunningState } from '@portal/platform/async/running-state'
import type { Logger } from 'pino'

/** Less than a send is held for, so that each is known before it is due. */
const readIntervalMs = 1_000
/** Each can select 100,000 recipients. The next read finds the others. */
const maxAtOnce = 20

/** A send that waits for its time. */
export type DueSend = {
  /** The same one is begun once. */
  readonly key: string
  /** Negative if it is late. */
  readonly inMs: number
  /** Throws if it should be tried again. */
  send(): Promise<void>
}

type DueSendsDeps = {
  readonly read: () => Promise<readonly DueSend[]>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** Sends what is held or scheduled when it is due. Runs in the one process of a portal that delivers. */
export const createDueSends = ({ read, logger }: DueSendsDeps) => {
  const state = createRunningState()
  /** Timers of sends, until they are not read any more. */
  const begun = new Map<string, NodeJS.Timeout>()
  const sending = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined

  const send = async (due: DueSend): Promise<void> => {
    try {
      await due.send()
    } catch (err) {
      begun.delete(due.key)
      logger.error({ err, due: due.key }, 'a due notification could not be sent, retrying')
    }
  }

  const begin = (due: DueSend): void => {
    if (sending.size >= maxAtOnce) {
      begun.delete(due.key)
      return
    }
    const sent = send(due)
    sending.add(sent)
    void sent.finally(() => sending.delete(sent))
  }

  const readOnce = async (): Promise<void> => {
    const all = await read()
    const known = new Set(all.map(({ key }) => key))
    for (const [key, timeout] of begun) {
      if (known.has(key)) continue
      clearTimeout(timeout)
      begun.delete(key)
    }
    for (const due of all) {
      const isSoon = due.inMs <= 2 * readIntervalMs
      if (!isSoon || begun.has(due.key) || state.isStopped()) continue
      begun.set(
        due.key,
        setTimeout(() => begin(due), Math.max(0, due.inMs)),
      )
    }
  }

  const readAgain = (): void => {
    if (state.isStopped()) return
    reading = readOnce()
      .catch((err: unknown) => logger.warn({ err }, 'the held and scheduled notifications could not be read, retrying'))
      .finally(() => {
        timer = state.isStopped() ? undefined : setTimeout(readAgain, readIntervalMs)
      })
  }

  return {
    start: readAgain,
    /** Resolves when no send is under way. Another process, or the next start, sends the rest. */
    stop: async (): Promise<void> => {
      state.stop()
      clearTimeout(timer)
      await reading
      for (const timeout of begun.values()) clearTimeout(timeout)
      await Promise.all(sending)
    },
  }
}
