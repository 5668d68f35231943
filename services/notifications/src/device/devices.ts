import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import { makeEndedAmong, sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { authEventOf, notificationsEventOf } from '../bus-messages.ts'
import { type DeviceCommand, deviceDecider } from './decider.ts'
import { deviceProjection, tokensOf, tokensRef } from './projection.ts'

type HandleDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/**
 * Handles a command for one token. The decider records nothing for a repetition, so event ids need not be
 * deterministic.
 */
export const createHandleDevice =
  ({ eventStore, clockAndIds }: HandleDeps) =>
  (command: DeviceCommand, metadata: EventMetadata = {}) =>
    handleCommand(eventStore, deviceDecider, command.tokenIndex, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })
export type HandleDevice = ReturnType<typeof createHandleDevice>

type DevicesDeps = {
  readonly handle: HandleDevice
  readonly readModel: ReadStore
  /** The session denylist. */
  readonly sessions: Pick<ReadStore, 'getMany'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
}

/** A decrypted token of a user. */
export type OpenToken = { readonly userId: UserId; readonly tokenIndex: string; readonly token: string }

export const createDevices = ({ handle, readModel, sessions, vault }: DevicesDeps) => {
  const endedAmong = makeEndedAmong(sessions)

  return {
    /** Removes the session's tokens, as far as they are projected. */
    endSession: async (userId: UserId, sessionId: SessionId): Promise<void> => {
      const tokens = tokensOf(await readModel.get(tokensRef(userId)))
      for (const { tokenIndex } of tokens.filter((token) => token.sessionId === sessionId))
        await handle({ type: 'EndSessionOfToken', tokenIndex, sessionId })
    },

    /** Removes a token whose session has ended meanwhile. */
    endIfSessionEnded: async (token: { userId: UserId; sessionId: SessionId; tokenIndex: string }): Promise<void> => {
      const { sessionId, tokenIndex } = token
      const ended = await endedAmong([token])
      if (ended.has(sessionId)) await handle({ type: 'EndSessionOfToken', tokenIndex, sessionId })
    },

    /** The provider reports that the token is unregistered. */
    drop: async ({ userId, tokenIndex }: Pick<OpenToken, 'userId' | 'tokenIndex'>): Promise<void> => {
      await handle({ type: 'DropToken', tokenIndex, userId })
    },

    /** The users who have at least one token. */
    holders: async (userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> => {
      const documents = await readModel.getMany(userIds.map(tokensRef))
      return new Set(userIds.filter((_, index) => documents[index] !== undefined))
    },

    /**
     * All usable tokens of the users. Excludes ended sessions, whose removal may not be recorded yet, and erased
     * users, whose tokens cannot be decrypted.
     */
    tokensOf: async (userIds: readonly UserId[]): Promise<readonly OpenToken[]> => {
      const documents = await readModel.getMany(userIds.map(tokensRef))
      const encrypted = userIds.flatMap((userId, index) =>
        tokensOf(documents[index]).map((token) => ({ userId, ...token })),
      )
      const ended = await endedAmong(encrypted)
      const usable = encrypted.filter(({ sessionId }) => !ended.has(sessionId))
      const opened = await Promise.all(
        usable.map(async ({ userId, tokenIndex, token }) => {
          const text = await vault.decrypt(userId, token)
          return text === undefined ? undefined : { userId, tokenIndex, token: text }
        }),
      )
      return opened.filter((token) => token !== undefined)
    },
  }
}
export type Devices = ReturnType<typeof createDevices>

/** Timeout after which the bus redelivers the message. */
const timeoutMs = 5_000

type EndPushTokensDeps = {
  /** Removes messages about an erased person. For a process with a mailbox of its own. */
  readonly forgetMessages?: ((userId: UserId) => Promise<void>) | undefined
  readonly sessions: Pick<Checkpoints, 'whenApplied'>
  readonly deviceReadModel: Pick<Checkpoints, 'whenApplied'>
  readonly devices: Pick<Devices, 'endSession' | 'endIfSessionEnded'>
}

/**
 * Removes push tokens when their session ends, in whichever order 'session ended' and 'token registered' arrive:
 * they are on two topics. Each handler waits for its own projection and then reads the other's, so at least one of
 * them sees both.
 */
export const createEndPushTokens = (deps: EndPushTokensDeps) => {
  const { sessions, deviceReadModel, devices, forgetMessages } = deps
  const waitUntilApplied = async (
    readModel: Pick<Checkpoints, 'whenApplied'>,
    projection: { readonly name: string },
    { key, position }: Envelope,
  ): Promise<void> => {
    if (await waitForProjection(readModel, { projection, partition: key, messagePosition: position, timeoutMs })) return
    throw new Error(`the projection '${projection.name}' has not applied ${position} yet`)
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
    if (envelope.type === 'UserErased') {
      const event = authEventOf(envelope)
      if (event.type === 'UserErased') await forgetMessages?.(event.data.userId)
    }
  }
}
export type EndPushTokens = ReturnType<typeof createEndPushTokens>
