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
  /** Encrypted with the user's key. */
  readonly token: EncryptedText
  /**
   * Whether pushes use the token already. A token that newer ones displaced is not kept and must be registered
   * again.
   */
  readonly isKept: boolean
}

/** Newer tokens of the user replaced this registration. */
type SupersedeToken = {
  readonly type: 'SupersedeToken'
  readonly tokenIndex: string
  /** Identifies the registration: a later one of the same token has another ciphertext. */
  readonly token: EncryptedText
}

/** The session that registered the token has ended. */
type EndSessionOfToken = {
  readonly type: 'EndSessionOfToken'
  readonly tokenIndex: string
  readonly sessionId: SessionId
}

/** The provider reports that the token is unregistered. */
type DropToken = { readonly type: 'DropToken'; readonly tokenIndex: string; readonly userId: UserId }

export type DeviceCommand = RegisterToken | SupersedeToken | EndSessionOfToken | DropToken

/** The token's owner and registration. */
type DeviceState = { readonly userId: UserId; readonly sessionId: SessionId; readonly token: EncryptedText } | undefined

const removed = (tokenIndex: string, userId: UserId, reason: RemovalReason): DeviceEvent => ({
  type: 'PushTokenRemoved',
  data: { tokenIndex, userId, reason },
})

/**
 * A push token belongs to one user and one session at a time. A browser keeps its token when another user logs in;
 * then the token moves. A late event about an earlier owner or registration changes nothing.
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
