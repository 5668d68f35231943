import type { Bus } from '@portal/platform/bus/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { catalogEventOf } from '../bus-messages.ts'
import { createSendEnrollmentNotice } from './send-enrollment-notice.ts'

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

/**
 * Notifies learners who have enrolled. Sample data and imports are recorded without a request and cause no notice. A
 * replay runs no reactors, so it sends nothing either.
 */
export const createEnrollmentNotices = ({ bus, control, continuity, logger, ...ports }: EnrollmentNoticesDeps) => {
  const send = createSendEnrollmentNotice(ports)
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
          const { id, type, correlationId } = envelope
          // Skip other messages without parsing them.
          if (type !== 'LearnerEnrolled' || correlationId === undefined) return
          const event = catalogEventOf(envelope)
          if (event.type === 'LearnerEnrolled') await send(event.data, { causationId: id, correlationId })
        },
      })
    },
    stop: async (): Promise<void> => consumer?.stop(),
  }
}
