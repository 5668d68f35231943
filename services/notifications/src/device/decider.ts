import type { EncryptedText } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import { type Decider, ok, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { notificationsMessage } from '../bus-messages.ts'
import { type DeviceEvent, deviceEventSchema, type RemovalReason } from './events.ts'

export type RegisterToken = {
  readonly type: 'RegisterToken'
  readonly tokenIndex: string
  readonly userId: UserId
  readonly sessionId: SessionId
  /** Sealed with the user's key. */
  readonly token: EncryptedText
  /** Whether pushes use it as it is. One that fell out behind newer ones is not kept, and is to be registered anew. */
  readonly isKept: boolean
}

/** Newer tokens of the user have taken the place of this registration. */
type SupersedeToken = {
  readonly type: 'SupersedeToken'
  readonly tokenIndex: string
  /** As it was registered: a later registration of the same token is another one. */
  readonly token: EncryptedText
}

/** The session that registered the token has ended. */
type EndSessionOfToken = {
  readonly type: 'EndSessionOfToken'
  readonly tokenIndex: string
  readonly sessionId: SessionId
}

/** The provider says that the token is gone for good. */
type DropToken = { readonly type: 'DropToken'; readonly tokenIndex: string; readonly userId: UserId }

export type DeviceCommand = RegisterToken | SupersedeToken | EndSessionOfToken | DropToken

/** Whose the token is, and how it was registered. */
type DeviceState = { readonly userId: UserId; readonly sessionId: SessionId; readonly token: EncryptedText } | undefined

const removed = (tokenIndex: string, userId: UserId, reason: RemovalReason): DeviceEvent => ({
  type: 'PushTokenRemoved',
  data: { tokenIndex, userId, reason },
})

/**
 * One push token belongs to one user and one session at a time. A browser keeps its token when another person logs in on
 * it: then the token moves. A late word about a former owner, or a former registration, touches no other.
 */
export const deviceDecider: Decider<DeviceState, DeviceCommand, DeviceEvent, never> = {
  category: 'device',
  initial: undefined,

  decide(command, owner): Result<readonly DeviceEvent[], never> {
    const { tokenIndex } = command
    switch (command.type) {
      case 'RegisterToken': {
        const { userId, sessionId, token, isKept } = command
        if (owner?.userId === userId && owner.sessionId === sessionId && isKept) return ok([])
        const registered: DeviceEvent = {
          type: 'PushTokenRegistered',
          data: { tokenIndex, userId, sessionId, token },
        }
        if (owner === undefined || owner.userId === userId) return ok([registered])
        return ok([removed(tokenIndex, owner.userId, 'moved'), registered])
      }
      case 'SupersedeToken':
        return owner?.token === command.token ? ok([removed(tokenIndex, owner.userId, 'superseded')]) : ok([])
      case 'EndSessionOfToken':
        return owner?.sessionId === command.sessionId ? ok([removed(tokenIndex, owner.userId, 'logged-out')]) : ok([])
      case 'DropToken':
        return owner?.userId === command.userId ? ok([removed(tokenIndex, owner.userId, 'unregistered')]) : ok([])
    }
  },

  evolve: (_owner, { type, data }) =>
    type === 'PushTokenRegistered' ? { userId: data.userId, sessionId: data.sessionId, token: data.token } : undefined,

  parse: storedEventReader(deviceEventSchema),
}

export const devicePublisher: Publisher = {
  category: deviceDecider.category,
  topics: ['notifications'],
  publish: (recorded) => {
    const event = deviceDecider.parse(recorded)
    return [notificationsMessage(bucketKey(event.data.userId), event)]
  },
}
