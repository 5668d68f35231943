import { limits } from '@portal/contracts/shared/rules'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import type { DueSend } from '../held-send/due-sends.ts'
import { missScheduled } from './miss-scheduled.ts'
import { type ListedSend, readScheduled } from './scheduled-list.ts'
import type { SendScheduled } from './send-scheduled.ts'

type DueScheduledDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<ReadStore, 'range'>
  readonly sendScheduled: SendScheduled
  /** A cautious clock. */
  readonly nowMs: () => number
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

/** Reads when the scheduled sends are due. What is more than an hour late is left to an admin instead. */
export const createDueScheduled = ({ eventStore, readModel, sendScheduled, nowMs, logger }: DueScheduledDeps) => {
  const send = async ({ notificationId, version, sendAtMs }: ListedSend): Promise<void> => {
    const isLate = nowMs() - sendAtMs > limits.sendLatenessMs
    if (isLate) {
      await missScheduled(eventStore, { notificationId, version }, 'late')
      logger.warn({ notificationId }, 'a scheduled notification is more than an hour late, leaving it to an admin')
      return
    }
    const metadata = { correlationId: deterministicEventId('due', notificationId, String(version)) }
    const sent = await sendScheduled(notificationId, { version, isDue: true }, metadata)
    if (!sent.ok)
      logger.warn(
        { notificationId, reason: sent.error.reason },
        'a scheduled notification was not sent when it was due',
      )
  }

  return async (): Promise<readonly DueSend[]> => {
    const listed = await readScheduled(readModel)
    const readAtMs = nowMs()
    return listed
      .filter(({ missed }) => missed === undefined)
      .map((one) => ({
        key: `${one.notificationId} ${one.version}`,
        inMs: one.sendAtMs - readAtMs,
        send: () => send(one),
      }))
  }
}
