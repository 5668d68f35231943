import { limits } from '@portal/contracts/shared/rules'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { readHeld } from './held-list.ts'
import type { SendHeld } from './send-held.ts'

/** Less than a send is held for, so that each is known before it is due. */
const readIntervalMs = 1_000

type DueSendsDeps = {
  readonly readModel: Pick<ReadStore, 'range'>
  readonly sendHeld: SendHeld
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/**
 * Sends what is held when it is due. Runs in the one process of a portal that delivers. What is very late waits for its
 * sender: after a long outage, or when older data have come back, nobody expects it any more.
 */
export const createDueSends = ({ readModel, sendHeld, now, logger }: DueSendsDeps) => {
  const state = createRunningState()
  /** Timers of held sends, until the list no longer has them. */
  const scheduled = new Map<NotificationId, NodeJS.Timeout>()
  const sending = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined

  const send = async (notificationId: NotificationId): Promise<void> => {
    try {
      const sent = await sendHeld(notificationId, { correlationId: deterministicEventId('due', notificationId) })
      if (!sent.ok && sent.error.reason !== 'taken-back')
        logger.warn({ notificationId, reason: sent.error.reason }, 'a held notification was rejected when it was due')
    } catch (err) {
      scheduled.delete(notificationId)
      logger.error({ err, notificationId }, 'a held notification could not be sent, retrying')
    }
  }

  const schedule = (notificationId: NotificationId, inMs: number): void => {
    const begin = (): void => {
      const sent = send(notificationId)
      sending.add(sent)
      void sent.finally(() => sending.delete(sent))
    }
    scheduled.set(notificationId, setTimeout(begin, Math.max(0, inMs)))
  }

  const read = async (): Promise<void> => {
    const held = await readHeld(readModel, now().getTime() - limits.sendLatenessMs)
    const known = new Set(held.map(({ notificationId }) => notificationId))
    for (const [notificationId, due] of scheduled) {
      if (known.has(notificationId)) continue
      clearTimeout(due)
      scheduled.delete(notificationId)
    }
    for (const { notificationId, dueAtMs } of held) {
      const inMs = dueAtMs - now().getTime()
      const isSoon = inMs <= 2 * readIntervalMs
      if (isSoon && !scheduled.has(notificationId) && !state.isStopped()) schedule(notificationId, inMs)
    }
  }

  const readAgain = (): void => {
    if (state.isStopped()) return
    reading = read()
      .catch((err: unknown) => logger.warn({ err }, 'the held notifications could not be read, retrying'))
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
      for (const due of scheduled.values()) clearTimeout(due)
      await Promise.all(sending)
    },
  }
}
