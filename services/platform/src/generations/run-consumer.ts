import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { yieldToEventLoop } from '../async/event-loop-budget.ts'
import type { Bus, Consumer, Subscription } from '../bus/port.ts'
import { type Continuity, inMemoryContinuity } from '../discontinuity/continuity.ts'
import { type FoundDiscontinuity, wholeLog } from '../discontinuity/discontinuity.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import { type ActiveGeneration, singleGeneration } from './active-generation.ts'
import { createCheckpointSaver } from '../projection/checkpoint-saver.ts'
import { startConsumerLoop } from '../projection/consumer-loop.ts'

type ConsumerOptions = {
  readonly name: string
  readonly topics: readonly Topic[]
  readonly bus: Bus
  /** Stores the cursors. If it is reopened because it was emptied, the consumer goes back with it. */
  readonly readModel: ReadModel | ActiveGeneration
  /** Where an earlier version stored the cursors. They are copied if there are none yet. */
  readonly legacyCursors?: Checkpoints
  /** Records discontinuities, and is checked before the consumer subscribes. */
  readonly continuity?: Continuity | undefined
  readonly logger: Logger
  readonly startAt?: Consumer['startAt']
  /** Called at least once per message, in order. After a rejection the message comes again until it is accepted. */
  handle(envelope: Envelope): Promise<void>
  onCaughtUp?(): void
}

/** The consumer group of a reactor, which also names its cursors. */
export const reactorGroup = (name: string): string => `consumer:${name}`

/** Does nothing if the consumer already has cursors. */
const copyLegacyCursors = async (from: Checkpoints, to: ReadModel, consumer: string): Promise<void> => {
  if (Object.keys(await to.loadCursors(consumer)).length > 0) return
  for (const [busPartition, cursor] of Object.entries(await from.loadCursors(consumer))) {
    await to.saveCursor(consumer, busPartition, cursor)
  }
}

/** Runs a consumer that is not a projection. Its handler must recognize messages that it has handled before. */
export const runConsumer = async (options: ConsumerOptions): Promise<Pick<Subscription, 'stop'>> => {
  const { name, topics, bus, legacyCursors, logger, startAt = 'beginning', handle, onCaughtUp } = options
  const consumer = reactorGroup(name)
  const readModel = 'current' in options.readModel ? options.readModel : singleGeneration(options.readModel)
  const continuity = options.continuity ?? inMemoryContinuity(logger)

  const onDiscontinuity = ({ cause, missing }: FoundDiscontinuity) =>
    continuity.record({ consumer: cause === 'log-older' ? wholeLog : consumer, cause, missing })

  const consume = async (signal: AbortSignal): Promise<Pick<Subscription, 'stop'>> => {
    const { readModel: own } = readModel.current()
    const cursors = createCheckpointSaver(own, consumer, logger)
    const subscription = await bus.consume({
      group: consumer,
      topics,
      startAt,
      loadCursors: cursors.load,
      async handle(deliveries) {
        for (const { envelope, busPartition, cursor } of deliveries) {
          if (signal.aborted) throw new Error(`${name} resubscribes`)
          await yieldToEventLoop()
          await handle(envelope)
          cursors.reached(busPartition, cursor)
        }
      },
      onDiscontinuity,
      onCaughtUp(reached) {
        if (signal.aborted) return
        for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
        onCaughtUp?.()
      },
    })
    return {
      async stop() {
        await subscription.stop()
        // Cursors of a read model that was emptied must not be saved into the new one.
        await (own === readModel.current().readModel ? cursors.stop() : cursors.discard())
      },
    }
  }

  const loop = startConsumerLoop({
    consumer,
    logger,
    discontinuity: () => continuity.discontinuityOf(consumer),
    beforeSubscribe: async () => {
      if (legacyCursors) await copyLegacyCursors(legacyCursors, readModel.current().readModel, consumer)
    },
    consume,
  })
  const stopListening = continuity.onChange(loop.discontinuitiesChanged)
  const stopFollowing = readModel.onSwitch(loop.resubscribe)
  const stop = async (): Promise<void> => {
    stopListening()
    stopFollowing()
    await loop.stop()
  }
  try {
    await loop.started
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
