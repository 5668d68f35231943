import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import type { Bus, Consumer, Subscription } from '../bus/port.ts'
import { breathe } from '../bus/time-slice.ts'
import type { ReadModel } from '../read-model/port.ts'
import { keepCursors } from './keep-cursors.ts'

export type ConsumerOptions = {
  readonly name: string
  readonly topics: readonly Topic[]
  readonly bus: Bus
  /** Where its cursors are kept. */
  readonly readModel: ReadModel
  readonly logger: Logger
  readonly startAt?: Consumer['startAt']
  /** At least once, in order; a rejection brings the message again until it is accepted. */
  handle(envelope: Envelope): Promise<void>
  onCaughtUp?(): void
}

/** For what consumes without projecting: effects and reactors, which recognise for themselves what they have done already. */
export const runConsumer = async (options: ConsumerOptions): Promise<Subscription> => {
  const { name, topics, bus, readModel, logger, startAt = 'beginning', handle, onCaughtUp } = options
  const cursors = keepCursors(readModel, `consumer:${name}`, logger)
  const subscription = await bus.consume({
    group: `consumer:${name}`,
    topics,
    startAt,
    loadCursors: cursors.load,
    async handle(deliveries) {
      for (const { envelope, busPartition, cursor } of deliveries) {
        await breathe()
        await handle(envelope)
        cursors.reached(busPartition, cursor)
      }
    },
    onCaughtUp(reached) {
      for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
      onCaughtUp?.()
    },
  })
  return {
    async stop() {
      await subscription.stop()
      await cursors.stop()
    },
  }
}
