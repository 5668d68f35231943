import { bucketKey } from '@portal/contracts/shared/buckets'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { afterProjected } from '@portal/platform/projection/after-projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { DeviceCommand } from './commands.ts'
import { deviceDecider } from './decider.ts'
import { deviceProjection, tokensOf, tokensRef } from './projection.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly readModel: Pick<ReadModel, 'get' | 'getMany' | 'whenApplied'>
  readonly vault: PersonalDataVault
  readonly sources: Pick<Sources, 'newId'>
}

/** A token of a user, opened, ready to be used. */
export type OpenToken = { readonly userId: UserId; readonly tokenIndex: string; readonly token: string }

export const createDevices = ({ eventStore, readModel, vault, sources }: Deps) => {
  const handle = (command: DeviceCommand, metadata: EventMetadata = {}) => {
    // The decider answers a repetition with nothing to record, so the ids need not recognise it.
    const ids = [sources.newId(), sources.newId()]
    return handleCommand(eventStore, deviceDecider, command.tokenIndex, command, {
      eventId: (index) => ids[index] ?? sources.newId(),
      metadata,
    })
  }

  return {
    /** Gives the token to the user and waits until pushes would use it; false when that takes too long. */
    register: async (
      user: { readonly userId: UserId; readonly sessionId: SessionId },
      token: string,
      metadata: EventMetadata,
    ): Promise<boolean> => {
      const { userId, sessionId } = user
      const tokenIndex = vault.index('push-token', token)
      const sealed = await vault.seal(userId, token)
      const command = { type: 'RegisterToken', tokenIndex, userId, sessionId, token: sealed } as const
      const handled = await handle(command, metadata)
      if (!handled.ok || handled.value.position === undefined) return true
      return afterProjected(readModel, deviceProjection, bucketKey(userId), handled.value.position)
    },

    /** Takes away what the session had registered. */
    endSession: async (userId: UserId, sessionId: SessionId): Promise<void> => {
      const tokens = tokensOf(await readModel.get(tokensRef(userId)))
      for (const { tokenIndex } of tokens.filter((token) => token.sessionId === sessionId))
        await handle({ type: 'EndSessionOfToken', tokenIndex, sessionId })
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

    /** All usable tokens of the users. Those of erased users cannot be opened. */
    tokensOf: async (userIds: readonly UserId[]): Promise<readonly OpenToken[]> => {
      const documents = await readModel.getMany(userIds.map(tokensRef))
      const sealed = userIds.flatMap((userId, index) =>
        tokensOf(documents[index]).map((token) => ({ userId, ...token })),
      )
      const opened = await Promise.all(
        sealed.map(async ({ userId, tokenIndex, token }) => {
          const text = await vault.open(userId, token)
          return text === undefined ? undefined : { userId, tokenIndex, token: text }
        }),
      )
      return opened.filter((token) => token !== undefined)
    },
  }
}
export type Devices = ReturnType<typeof createDevices>
