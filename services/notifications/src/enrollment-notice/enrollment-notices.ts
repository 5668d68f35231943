import type { Bus } from '@portal/platform/bus/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { ReadStore } from '@portal/platform/read-model/port'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { catalogEventOf } from '../bus-messages.ts'
import { enrolledNotice, movedNotice, type Notice, paymentNotice } from './notice-texts.ts'
import { createSendNotice } from './send-notice.ts'

type EnrollmentNoticesDeps = {
  readonly bus: Bus
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly recipients: Pick<ReadStore, 'get'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  /** Stores the cursors. */
  readonly control: ActiveGeneration
  readonly continuity: Continuity
  readonly logger: Logger
}

/** Undefined for what learners are not told of. */
const noticeOf = (envelope: Envelope): Notice | undefined => {
  const { type } = envelope
  // Skip other messages without parsing them.
  if (type !== 'LearnerEnrolled' && type !== 'EnrollmentChanged') return undefined
  const event = catalogEventOf(envelope)
  if (event.type === 'LearnerEnrolled') {
    const { movedFrom } = event.data
    return movedFrom ? movedNotice(event.data, movedFrom, eventTime(envelope)) : enrolledNotice(event.data)
  }
  return event.type === 'EnrollmentChanged' ? paymentNotice(event.data, eventTime(envelope)) : undefined
}

/**
 * Notifies learners who have enrolled, and whose payments are confirmed. Sample data and imports are recorded without a request and cause no notice. A
 * replay runs no reactors, so it sends nothing either.
 */
export const createEnrollmentNotices = ({ bus, control, continuity, logger, ...ports }: EnrollmentNoticesDeps) => {
  const send = createSendNotice(ports)
  let consumer: Awaited<ReturnType<typeof runConsumer>> | undefined
  return {
    start: async (): Promise<void> => {
      consumer = await runConsumer({
        name: 'enrollment-notices',
        topics: ['catalog'],
        bus,
        readModel: control,
        continuity,
        logger,
        handle: async (envelope) => {
          const { id: causationId, correlationId } = envelope
          if (correlationId === undefined) return
          const notice = noticeOf(envelope)
          if (notice) await send(notice, { causationId, correlationId })
        },
      })
    },
    stop: async (): Promise<void> => consumer?.stop(),
  }
}
