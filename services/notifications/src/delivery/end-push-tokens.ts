import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { authEventOf, notificationsEventOf } from '../bus-messages.ts'
import type { Devices } from '../device/devices.ts'
import { deviceProjection } from '../device/projection.ts'

/** After this time the bus redelivers the message, and the wait begins again. */
const timeoutMs = 5_000

type Deps = {
  readonly sessions: Pick<Checkpoints, 'whenApplied'>
  readonly deviceReadModel: Pick<Checkpoints, 'whenApplied'>
  readonly devices: Pick<Devices, 'endSession' | 'endIfSessionEnded'>
}

/**
 * Ends push tokens with their session, in whichever order 'session ended' and 'token registered' come: they are messages of two topics.
 * Each of the two waits until its own projection has it and then looks at the other's, so at least one of them sees both.
 */
export const createEndPushTokens = ({ sessions, deviceReadModel, devices }: Deps) => {
  const waitUntilApplied = async (
    readModel: Pick<Checkpoints, 'whenApplied'>,
    projection: { readonly name: string },
    { key, position }: Envelope,
  ): Promise<void> => {
    if (await waitForProjection(readModel, { projection, partition: key, messagePosition: position, timeoutMs })) return
    throw new Error(`The projection '${projection.name}' has not applied ${position} yet`)
  }

  return async (envelope: Envelope): Promise<void> => {
    if (envelope.type === 'SessionEnded') {
      const event = authEventOf(envelope)
      if (event.type !== 'SessionEnded') return
      await waitUntilApplied(sessions, sessionsProjectionRef, envelope)
      await devices.endSession(event.data.userId, event.data.sessionId)
    }
    if (envelope.type === 'PushTokenRegistered') {
      const event = notificationsEventOf(envelope)
      if (event.type !== 'PushTokenRegistered') return
      await waitUntilApplied(deviceReadModel, deviceProjection, envelope)
      await devices.endIfSessionEnded(event.data)
    }
  }
}
export type EndPushTokens = ReturnType<typeof createEndPushTokens>
