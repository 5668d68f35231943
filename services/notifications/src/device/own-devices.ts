import { type Device, deviceNotFound } from '@portal/contracts/notifications/devices'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, Position } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Session } from '@portal/platform/session/session'
import { makeEndedAmong } from '@portal/platform/session/session-denylist'
import type { HandleDevice } from './devices.ts'
import { deviceProjection, lastUseOf, tokensOf, tokensRef, type UserToken } from './projection.ts'

type Caller = Pick<Session, 'userId' | 'sessionId'>

type OwnDevicesDeps = {
  readonly handle: HandleDevice
  readonly readModel: Pick<ReadStore, 'get'> & Pick<Checkpoints, 'whenApplied'>
  /** The session denylist. */
  readonly sessions: Pick<ReadStore, 'getMany'>
}

/** A device that an earlier release registered. */
const unnamed = 'A device'

/**
 * The devices of a user. A device is a session with a token: a browser that gets another token no longer uses the
 * one before, which stays until the provider reports it.
 */
export const createOwnDevices = ({ handle, readModel, sessions }: OwnDevicesDeps) => {
  const endedAmong = makeEndedAmong(sessions)

  /** Oldest first, without those of ended sessions, whose removal may not be recorded yet. */
  const currentTokens = async ({ userId }: Pick<Caller, 'userId'>): Promise<readonly UserToken[]> => {
    const tokens = tokensOf(await readModel.get(tokensRef(userId)))
    const ended = await endedAmong(tokens.map(({ sessionId }) => ({ userId, sessionId })))
    return tokens.filter(({ sessionId }) => !ended.has(sessionId))
  }

  /** The newest token of each session, newest first. */
  const newestTokens = async (caller: Pick<Caller, 'userId'>): Promise<readonly UserToken[]> => {
    const tokens = (await currentTokens(caller)).toReversed()
    return [...Map.groupBy(tokens, ({ sessionId }) => sessionId).values()].flatMap(([newest]) => newest ?? [])
  }

  const describe = (token: UserToken): Pick<Device, 'name' | 'addedAt' | 'usedAt'> => ({
    name: token.device?.name ?? unnamed,
    addedAt: token.device?.addedAt,
    usedAt: lastUseOf(token),
  })

  return {
    /** For admins: without what identifies a device. */
    ofUser: async (userId: UserId) => (await newestTokens({ userId })).map(describe),

    list: async (caller: Caller): Promise<Device[]> => {
      const devices = (await newestTokens(caller)).map((token) => ({
        id: token.tokenIndex,
        ...describe(token),
        isThis: token.sessionId === caller.sessionId,
      }))
      return devices.toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
    },

    /** Removes all tokens of the device's session, and waits until no push uses them. */
    remove: async ({ userId }: Caller, id: string, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
      const tokens = await currentTokens({ userId })
      const sessionId = tokens.find(({ tokenIndex }) => tokenIndex === id)?.sessionId
      if (sessionId === undefined) return rejected(deviceNotFound)
      let eventPosition: Position | undefined
      for (const { tokenIndex } of tokens.filter((token) => token.sessionId === sessionId)) {
        const handled = await handle({ type: 'RevokeToken', tokenIndex, userId }, metadata)
        if (handled.ok) eventPosition = handled.value.position ?? eventPosition
      }
      if (eventPosition !== undefined) {
        const partition = bucketKey(userId)
        await waitForProjection(readModel, { projection: deviceProjection, partition, eventPosition })
      }
      return ok(undefined)
    },
  }
}
export type OwnDevices = ReturnType<typeof createOwnDevices>
