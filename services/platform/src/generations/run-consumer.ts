import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { yieldToEventLoop } from '../async/event-loop-budget.ts'
import type { Bus, Consumer, Subscription } from '../bus/port.ts'
import { type Continuity, inMemoryContinuity } from '../discontinuity/continuity.ts'
import { type FoundDiscontinuity, wholeLog } from '../discontinuity/discontinuity.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import { type ActiveGeneration, singleGeneration } from './active-generation.ts'
import { type CheckpointSaver, createCheckpointSaver } from '../projection/checkpoint-saver.ts'
import { startConsumerLoop } from '../projection/consumer-loop.ts'

type ConsumerOptions = {
  readonly name: string
  readonly topics: readonly Topic[]
  readonly bus: Bus
  /** Where its cursors are loop. When it is opened again, because it was emptied or older, the consumer goes back with it. */
  readonly readModel: ReadModel | ActiveGeneration
  /** Where they were kept before; read when there are none yet. */
  readonly legacyCursors?: Checkpoints
  /** Where gaps are recorded, and looked up before anything is consumed. */
  readonly continuity?: Continuity | undefined
  readonly logger: Logger
  readonly startAt?: Consumer['startAt']
  /** At least once, in order; a rejection brings the message again until it is accepted. */
  handle(envelope: Envelope): Promise<void>
  onCaughtUp?(): void
}

/** The name under which a reactor's cursors are kept, and under which it consumes. */
export const reactorGroup = (name: string): string => `consumer:${name}`

/** Once: where there are cursors already, nothing is moved. */
const moveCursors = async (from: Checkpoints, to: ReadModel, consumer: string): Promise<void> => {
  if (Object.keys(await to.loadCursors(consumer)).length > 0) return
  for (const [busPartition, cursor] of Object.entries(await from.loadCursors(consumer))) {
    await to.saveCursor(consumer, busPartition, cursor)
  }
}

/** For what consumes without projecting: effects and reactors, which recognize for themselves what they have done already. */
export const runConsumer = async (options: ConsumerOptions): Promise<Pick<Subscription, 'stop'>> => {
  const { name, topics, bus, legacyCursors, logger, startAt = 'beginning', handle, onCaughtUp } = options
  const consumer = reactorGroup(name)
  const readModel = 'current' in options.readModel ? options.readModel : singleGeneration(options.readModel)
  const continuity = options.continuity ?? inMemoryContinuity(logger)

  const onDiscontinuity = ({ cause, missing }: FoundDiscontinuity) =>
    continuity.record({ consumer: cause === 'log-older' ? wholeLog : consumer, cause, missing })

  const consume = async (turn: AbortSignal): Promise<Pick<Subscription, 'stop'>> => {
    const { readModel: own } = readModel.current()
    const cursors = createCheckpointSaver(own, consumer, logger)
    const subscription = await bus.consume({
      group: consumer,
      topics,
      startAt,
      loadCursors: cursors.load,
      async handle(deliveries) {
        for (const { envelope, busPartition, cursor } of deliveries) {
          if (turn.aborted) throw new Error(`${name} consumes anew`)
          await yieldToEventLoop()
          await handle(envelope)
          cursors.reached(busPartition, cursor)
        }
      },
      onDiscontinuity,
      onCaughtUp(reached) {
        if (turn.aborted) return
        for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
        onCaughtUp?.()
      },
    })
    return {
      async stop() {
        await subscription.stop()
        await endKeeping(cursors, own === readModel.current().readModel)
      },
    }
  }

  const loop = startConsumerLoop({
    consumer,
    logger,
    discontinuity: () => continuity.discontinuityOf(consumer),
    prepare: async () => {
      if (legacyCursors) await moveCursors(legacyCursors, readModel.current().readModel, consumer)
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

/** What was reached in a read model that went back is not saved into what it holds now. */
const endKeeping = (cursors: CheckpointSaver, isCurrent: boolean): Promise<void> =>
  isCurrent ? cursors.stop() : cursors.discard()
