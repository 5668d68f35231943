import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { makeEndedAmong } from '@portal/platform/session/session-denylist'
import type { HandleDevice } from './handle.ts'
import { tokensOf, tokensRef } from './projection.ts'

type Deps = {
  readonly handle: HandleDevice
  readonly readModel: ReadStore
  /** The denylist of sessions. */
  readonly sessions: Pick<ReadStore, 'getMany'>
  readonly vault: Pick<PersonalDataVault, 'open'>
}

/** A token of a user, opened, ready to be used. */
export type OpenToken = { readonly userId: UserId; readonly tokenIndex: string; readonly token: string }

export const createDevices = ({ handle, readModel, sessions, vault }: Deps) => {
  const endedAmong = makeEndedAmong(sessions)

  return {
    /** Takes away what the session had registered, as far as it has been projected. */
    endSession: async (userId: UserId, sessionId: SessionId): Promise<void> => {
      const tokens = tokensOf(await readModel.get(tokensRef(userId)))
      for (const { tokenIndex } of tokens.filter((token) => token.sessionId === sessionId))
        await handle({ type: 'EndSessionOfToken', tokenIndex, sessionId })
    },

    /** Takes a token away again whose session has ended meanwhile. */
    endIfSessionEnded: async (token: { userId: UserId; sessionId: SessionId; tokenIndex: string }): Promise<void> => {
      const { sessionId, tokenIndex } = token
      const ended = await endedAmong([token])
      if (ended.has(sessionId)) await handle({ type: 'EndSessionOfToken', tokenIndex, sessionId })
    },

    /** The provider no longer knows the token. */
    drop: async ({ userId, tokenIndex }: Pick<OpenToken, 'userId' | 'tokenIndex'>): Promise<void> => {
      await handle({ type: 'DropToken', tokenIndex, userId })
    },

    /** Those of the users who have a token at all. */
    holders: async (userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> => {
      const documents = await readModel.getMany(userIds.map(tokensRef))
      return new Set(userIds.filter((_, index) => documents[index] !== undefined))
    },

    /**
     * All usable tokens of the users: not those of sessions that have ended, whose removal may not be recorded yet. Those of erased
     * users cannot be opened.
     */
    tokensOf: async (userIds: readonly UserId[]): Promise<readonly OpenToken[]> => {
      const documents = await readModel.getMany(userIds.map(tokensRef))
      const sealed = userIds.flatMap((userId, index) =>
        tokensOf(documents[index]).map((token) => ({ userId, ...token })),
      )
      const ended = await endedAmong(sealed)
      const usable = sealed.filter(({ sessionId }) => !ended.has(sessionId))
      const opened = await Promise.all(
        usable.map(async ({ userId, tokenIndex, token }) => {
          const text = await vault.open(userId, token)
          return text === undefined ? undefined : { userId, tokenIndex, token: text }
        }),
      )
      return opened.filter((token) => token !== undefined)
    },
  }
}
export type Devices = ReturnType<typeof createDevices>
