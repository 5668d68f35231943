import { createRelay } from '@portal/platform/bus/relay'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadModel } from '@portal/platform/read-model/port'

type Projecting = { readonly projection: Projection; readonly readModel: ReadModel }

/** Long enough for a projection of 50,000 deliveries on a busy machine; the test has its own limit. */
const waitMs = 60_000

/** Resolves when everything in the log at the time of the call is projected. Cheap to repeat. */
export const createUntilProjected = (
  eventStore: EventStore,
  publishers: readonly Publisher[],
  projecting: readonly Projecting[],
) => {
  const relay = createRelay(publishers)
  let reached: Position | 'start' = 'start'

  const newEnvelopes = async () => {
    const envelopes = []
    const { signal } = new AbortController()
    for await (const event of eventStore.subscribe(reached, { categories: relay.categories }, signal)) {
      if (event.kind === 'caught-up') break
      reached = event.position
      envelopes.push(...relay.translate(event))
    }
    return envelopes
  }

  return async (): Promise<void> => {
    const envelopes = await newEnvelopes()
    for (const { projection, readModel } of projecting) {
      const last = new Map<string, string>()
      for (const envelope of envelopes) {
        if (!projection.topics.includes(envelope.topic)) continue
        const partition = projection.partitionOf(envelope)
        if (partition !== undefined) last.set(partition, envelope.position)
      }
      for (const [partition, position] of last) {
        const isApplied = await readModel.whenApplied(projection.name, partition, position, waitMs)
        if (!isApplied) throw new Error(`${projection.name} has not reached ${position} in ${partition}`)
      }
    }
  }
}
