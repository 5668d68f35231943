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
  readonly deviceName: string
  /**
   * Whether pushes use the token already. A token that newer ones displaced is not kept and must be registered
   * again.
   */
  readonly isKept: boolean
  /** Whether the last recorded use of the token is of an earlier day. */
  readonly isFirstUseOfDay: boolean
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

/** The user removes the device. */
type RevokeToken = { readonly type: 'RevokeToken'; readonly tokenIndex: string; readonly userId: UserId }

/** The provider reports that the token is unregistered. */
type DropToken = { readonly type: 'DropToken'; readonly tokenIndex: string; readonly userId: UserId }

export type DeviceCommand = RegisterToken | SupersedeToken | EndSessionOfToken | RevokeToken | DropToken

/** The token's registration. */
type Registration = { readonly userId: UserId; readonly sessionId: SessionId; readonly token: EncryptedText }

type DeviceState =
  | (Registration & {
      /** The browser registers its token at each start, which must not undo what the user has decided. */
      readonly isRevoked?: true
    })
  | undefined

const removed = (tokenIndex: string, userId: UserId, reason: RemovalReason): DeviceEvent => ({
  type: 'PushTokenRemoved',
  data: { tokenIndex, userId, reason },
})

/**
 * A push token belongs to one user and one session at a time. A browser keeps its token when another user logs in;
 * then the token moves. A late event about an earlier owner or registration changes nothing. A token that its user
 * has revoked stays so for the session.
 */
export const deviceDecider: Decider<DeviceState, DeviceCommand, DeviceEvent, never> = {
  category: 'device',
  initial: undefined,

  decide(command, registration): Result<readonly DeviceEvent[], never> {
    const { tokenIndex } = command
    const owner = registration?.isRevoked ? undefined : registration
    switch (command.type) {
      case 'RegisterToken': {
        const { userId, sessionId, token, deviceName, isKept, isFirstUseOfDay } = command
        const isOfSession = registration?.userId === userId && registration.sessionId === sessionId
        if (isOfSession && registration.isRevoked) return ok([])
        if (isOfSession && isKept)
          return ok(isFirstUseOfDay ? [{ type: 'PushTokenUsed', data: { tokenIndex, userId } }] : [])
        const registered: DeviceEvent = {
          type: 'PushTokenRegistered',
          data: { tokenIndex, userId, sessionId, token, deviceName },
        }
        if (owner === undefined || owner.userId === userId) return ok([registered])
        return ok([removed(tokenIndex, owner.userId, 'moved'), registered])
      }
      case 'SupersedeToken':
        return owner?.token === command.token ? ok([removed(tokenIndex, owner.userId, 'superseded')]) : ok([])
      case 'EndSessionOfToken':
        return owner?.sessionId === command.sessionId ? ok([removed(tokenIndex, owner.userId, 'logged-out')]) : ok([])
      case 'RevokeToken':
        return owner?.userId === command.userId
          ? ok([{ type: 'PushTokenRevoked', data: { tokenIndex, userId: command.userId } }])
          : ok([])
      case 'DropToken':
        return owner?.userId === command.userId ? ok([removed(tokenIndex, owner.userId, 'unregistered')]) : ok([])
    }
  },

  evolve(registration, { type, data }) {
    switch (type) {
      case 'PushTokenRegistered':
        return { userId: data.userId, sessionId: data.sessionId, token: data.token }
      case 'PushTokenUsed':
        return registration
      case 'PushTokenRevoked':
        return registration && { ...registration, isRevoked: true }
      // Stryker disable next-line ConditionalExpression,StringLiteral: without it, the switch ends as undefined, too
      case 'PushTokenRemoved':
        return undefined
    }
  },

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
