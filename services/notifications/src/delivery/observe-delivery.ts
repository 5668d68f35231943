import { type NotificationId, notificationIdSchema } from '@portal/contracts/shared/ids'
import type { Bus } from '@portal/platform/bus/port'
import type { EventStore, NewEvent } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { Observability } from '@portal/platform/observability/observability'
import { traced } from '@portal/platform/observability/tracing/tracing'
import type { PushSender } from '@portal/platform/outbound/port'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { z } from 'zod'
import { notificationsEventOf } from '../bus-messages.ts'
import { campaignDecider } from '../campaign/decider.ts'
import type { CampaignEvent } from '../campaign/events.ts'

/** Campaigns whose trace is kept until they are settled. */
const maxTraces = 10_000

type DeliveryPorts = {
  readonly bus: Bus
  readonly eventStore: Pick<EventStore, 'append' | 'read' | 'check'>
  readonly push: PushSender
}

const settledType = 'RecipientsSettled' satisfies CampaignEvent['type']
/** The part of the event that is counted. */
const statesSchema = z.object({
  settled: z.array(z.object({ outcomes: z.array(z.object({ state: z.string() })) })),
})
const targetedType = 'RecipientsTargeted' satisfies CampaignEvent['type']

/**
 * Wraps delivery's ports to count recorded outcomes and to trace each delivery as part of its campaign. Deliveries
 * run seconds later, from a projection without trace context.
 */
export const observeDelivery = (ports: DeliveryPorts, { metrics, tracing }: Observability): DeliveryPorts => {
  const traces = boundedCache<string, string>(maxTraces)
  const keyOf = (notificationId: NotificationId): string => streamOf(campaignDecider.category, notificationId)

  const count = (events: readonly NewEvent[]): void => {
    for (const { type, data } of events) {
      if (type !== settledType) continue
      const states = statesSchema.parse(data).settled.flatMap(({ outcomes }) => outcomes.map(({ state }) => state))
      for (const [outcome, some] of Map.groupBy(states, (state) => state))
        metrics.delivery.outcomes.inc({ outcome }, some.length)
    }
  }

  const append: EventStore['append'] = async (stream, expected, events) => {
    const options = { parent: traces.get(stream), attributes: { stream } }
    const answer = await traced(tracing, 'settle deliveries', options, () =>
      ports.eventStore.append(stream, expected, events),
    )
    count(events)
    return answer
  }
  const eventStore = { append, read: ports.eventStore.read, check: ports.eventStore.check }
  if (!tracing.isOn) return { ...ports, eventStore }

  return {
    eventStore,
    push: {
      ...ports.push,
      send: (tokens, message, userIds) => {
        const notificationId = notificationIdSchema.parse(message.notificationId)
        const attributes = { notificationId, tokens: tokens.length }
        const options = { parent: traces.get(keyOf(notificationId)), kind: 'client', attributes } as const
        return traced(tracing, 'push', options, () => ports.push.send(tokens, message, userIds))
      },
    },
    bus: {
      ...ports.bus,
      consume: (consumer) =>
        ports.bus.consume({
          ...consumer,
          handle: (deliveries) => {
            for (const { envelope } of deliveries) {
              const { traceparent } = envelope
              if (traceparent === undefined || envelope.type !== targetedType) continue
              const event = notificationsEventOf(envelope)
              if (event.type === targetedType) traces.set(keyOf(event.data.text.notificationId), traceparent)
            }
            return consumer.handle(deliveries)
          },
        }),
    },
  }
}
