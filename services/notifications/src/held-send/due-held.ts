import { limits } from '@portal/contracts/shared/rules'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import type { DueSend } from './due-sends.ts'
import { readHeld } from './held-list.ts'
import type { SendHeld } from './send-held.ts'

type DueHeldDeps = {
  readonly readModel: Pick<ReadStore, 'range'>
  readonly sendHeld: SendHeld
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Reads when the held sends are due. What is very late waits for its sender: after a long outage, or when older data have come
 * back, nobody expects it any more.
 */
export const createDueHeld =
  ({ readModel, sendHeld, now, logger }: DueHeldDeps) =>
  async (): Promise<readonly DueSend[]> => {
    const held = await readHeld(readModel, now().getTime() - limits.sendLatenessMs)
    return held.map(({ notificationId, dueAtMs }) => ({
      key: notificationId,
      inMs: dueAtMs - now().getTime(),
      send: async () => {
        const sent = await sendHeld(notificationId, { correlationId: deterministicEventId('due', notificationId) })
        if (!sent.ok && sent.error.reason !== 'taken-back')
          logger.warn({ notificationId, reason: sent.error.reason }, 'a held notification was rejected when it was due')
      },
    }))
  }
