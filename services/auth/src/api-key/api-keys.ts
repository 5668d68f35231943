import { type ApiKey, apiKeyNotFound, tooManyApiKeys } from '@portal/contracts/auth/api-keys'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type ApiKeyId, apiKeyIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ApiKeyRight } from '@portal/contracts/auth/api-key-rights'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import { newApiKey } from '@portal/platform/session/api-key'
import type { ConfirmOwnPassword } from '../account/confirm-own-password.ts'
import { isActiveAdmin, userDecider } from '../user/decider.ts'
import { type ApiKeyCommand, apiKeysDecider } from './decider.ts'
import { apiKeysProjection, readApiKeys } from './projection.ts'

type ApiKeysDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly vault: Pick<PersonalDataVault, 'encrypt' | 'decrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
  readonly confirmOwnPassword: ConfirmOwnPassword
}

type NewApiKey = { readonly label: string; readonly rights: readonly ApiKeyRight[]; readonly password: string }

/** An admin's own API keys. */
export const createApiKeys = (deps: ApiKeysDeps) => {
  const { eventStore, readModels, vault, clockAndIds, confirmOwnPassword } = deps
  const readModel = readModels.of(apiKeysProjection)
  const runExclusive = createKeyedMutex()

  /** One at a time per admin: more concurrent appends to one stream than attempts would fail. */
  const handle = (command: ApiKeyCommand, metadata: EventMetadata) => {
    const eventId = eventIdsOf(clockAndIds.newId())
    return runExclusive(command.userId, () =>
      handleCommand(eventStore, apiKeysDecider, command.userId, command, { eventId, metadata }),
    )
  }

  const wait = async (userId: UserId, eventPosition: Position | undefined): Promise<void> => {
    if (eventPosition === undefined) return
    const partition = bucketKey(userId)
    await waitForProjection(readModel, { projection: apiKeysProjection, partition, eventPosition })
  }

  return {
    /** Newest first. */
    list: async (userId: UserId): Promise<ApiKey[]> => {
      const keys = await readApiKeys(readModel, userId)
      // The label of an account that is being erased is gone.
      return Promise.all(
        keys.map(async ({ label, ...key }) => ({ ...key, label: (await vault.decrypt(userId, label)) ?? '' })),
      )
    },

    /** Returns the key itself, which is recorded nowhere. A stolen session cannot create one, because a key outlives it. */
    create: async (
      userId: UserId,
      { label, rights, password }: NewApiKey,
      metadata: EventMetadata,
    ): Promise<Result<{ readonly apiKey: ApiKey; readonly key: string }, ApiError>> => {
      const confirmed = await confirmOwnPassword(userId, password)
      if (!confirmed.ok) return confirmed
      const keyId = apiKeyIdSchema.parse(clockAndIds.newId())
      const { key, keyHash } = newApiKey(userId)
      const encrypted = await vault.encrypt(userId, label)
      const command = { type: 'CreateApiKey', keyId, userId, label: encrypted, rights, keyHash } as const
      const created = await handle(command, metadata)
      if (!created.ok) return rejected(tooManyApiKeys)
      // What removes the admin from now on ends the key as well.
      const { state: user } = await loadState(eventStore, userDecider, userId)
      if (!isActiveAdmin(user)) {
        await handle({ type: 'RevokeApiKey', keyId, userId }, metadata)
        return rejected(apiErrors.forbidden)
      }
      await wait(userId, created.value.position)
      const createdAt = clockAndIds.now().toISOString()
      return ok({ apiKey: { id: keyId, label, rights: [...rights], createdAt }, key })
    },

    /** Waits until calls with the key are rejected. */
    revoke: async (userId: UserId, keyId: ApiKeyId, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
      const revoked = await handle({ type: 'RevokeApiKey', keyId, userId }, metadata)
      if (!revoked.ok) return rejected(apiKeyNotFound)
      await wait(userId, revoked.value.position)
      return ok(undefined)
    },
  }
}
export type ApiKeys = ReturnType<typeof createApiKeys>
