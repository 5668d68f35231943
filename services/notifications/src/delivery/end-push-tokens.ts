import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { authEventOf, notificationsEventOf } from '../bus-messages.ts'
import type { Devices } from '../device/devices.ts'
import { deviceProjection } from '../device/projection.ts'

/** A projection that is not there in time is waited for again: the message comes again. */
const patienceMs = 5_000

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
  const untilApplied = async (
    readModel: Pick<Checkpoints, 'whenApplied'>,
    projection: string,
    { key, position }: Envelope,
  ): Promise<void> => {
    if (await readModel.whenApplied(projection, key, position, patienceMs)) return
    throw new Error(`The projection '${projection}' has not applied ${position} yet`)
  }

  return async (envelope: Envelope): Promise<void> => {
    if (envelope.type === 'SessionEnded') {
      const event = authEventOf(envelope)
      if (event.type !== 'SessionEnded') return
      await untilApplied(sessions, sessionsProjectionRef.name, envelope)
      await devices.endSession(event.data.userId, event.data.sessionId)
    }
    if (envelope.type === 'PushTokenRegistered') {
      const event = notificationsEventOf(envelope)
      if (event.type !== 'PushTokenRegistered') return
      await untilApplied(deviceReadModel, deviceProjection.name, envelope)
      await devices.endIfSessionEnded(event.data)
    }
  }
}
export type EndPushTokens = ReturnType<typeof createEndPushTokens>
