import type { Bus } from '@portal/platform/bus/port'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { notificationsEventOf } from '../bus-messages.ts'
import { createDistributePlan } from './distribute-plan.ts'

type DistributorDeps = {
  readonly bus: Bus
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  /** The inboxes. */
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  /** Stores the cursors. */
  readonly control: ActiveGeneration
  readonly continuity: Continuity
  readonly logger: Logger
}

/**
 * Distributes planned campaigns, one after the other. The message of a campaign counts as handled once it is
 * distributed, so the next leader continues after a crash.
 */
export const createDistributor = ({ bus, eventStore, readModel, control, continuity, logger }: DistributorDeps) => {
  const abort = new AbortController()
  const distribute = createDistributePlan({ eventStore, readModel, signal: abort.signal })
  let consumer: Awaited<ReturnType<typeof runConsumer>> | undefined
  return {
    start: async (): Promise<void> => {
      consumer = await runConsumer({
        name: 'planned-campaigns',
        topics: ['notifications'],
        bus,
        readModel: control,
        continuity,
        logger,
        handle: async (envelope) => {
          // Skip other messages without parsing them.
          if (envelope.type !== 'CampaignPlanned') return
          const event = notificationsEventOf(envelope)
          if (event.type === 'CampaignPlanned') await distribute(event.data.text.notificationId)
        },
      })
    },
    stop: async (): Promise<void> => {
      abort.abort()
      await consumer?.stop()
    },
  }
}
