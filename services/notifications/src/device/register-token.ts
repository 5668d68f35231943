import { bucketKey } from '@portal/contracts/shared/buckets'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { Refusal } from '@portal/platform/http/handler'
import type { Session } from '@portal/platform/http/session'
import type { AttemptLimit, AttemptLimiter } from '@portal/platform/limits/attempt-limiter'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { afterProjected } from '@portal/platform/projection/after-projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { tooManyTokens } from '../refusals.ts'
import type { HandleDevice } from './handle.ts'
import { deviceProjection, maxTokensPerUser, tokensOf, tokensRef, type UserToken } from './projection.ts'

/** More than a browser that makes a mistake over and over. Each token has a stream of its own, for ever. */
export const newTokensLimit: AttemptLimit = { most: 30, windowMs: 60 * 60_000 }

type Deps = {
  readonly handle: HandleDevice
  readonly readModel: Pick<ReadModel, 'get' | 'whenApplied'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'seal'>
  readonly newTokensPerUser: AttemptLimiter
  readonly logger: Logger
}

/** Gives a push token to whoever is signed in, and waits until pushes use it. Of each user the newest twenty are used. */
export const createRegisterToken = ({ handle, readModel, vault, newTokensPerUser, logger }: Deps) => {
  /**
   * Says in the log what the projection makes of one token too many. Nothing depends on it: where it fails, or two
   * registrations at once name the same one, a token that fell out is registered anew all the same.
   */
  const recordSuperseded = async (others: readonly UserToken[], metadata: EventMetadata): Promise<void> => {
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - maxTokensPerUser))
    try {
      for (const { tokenIndex, token } of tooMany) await handle({ type: 'SupersedeToken', tokenIndex, token }, metadata)
    } catch (err) {
      logger.warn({ err }, 'a superseded push token could not be recorded as removed')
    }
  }

  return async (
    { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
    text: string,
    metadata: EventMetadata,
  ): Promise<Result<void, Refusal>> => {
    const tokenIndex = vault.index('push-token', text)
    const tokens = tokensOf(await readModel.get(tokensRef(userId)))
    const kept = tokens.find((token) => token.tokenIndex === tokenIndex)
    if (kept?.sessionId !== sessionId) {
      const wait = newTokensPerUser.waitSeconds(userId)
      if (wait !== undefined) return rejected(tooManyTokens(wait))
      newTokensPerUser.count(userId)
    }
    const token = await vault.seal(userId, text)
    const command = { type: 'RegisterToken', tokenIndex, userId, sessionId, token, isKept: kept !== undefined } as const
    const handled = await handle(command, metadata)
    if (!handled.ok || handled.value.position === undefined) return ok(undefined)
    const others = tokens.filter((one) => one !== kept)
    await recordSuperseded(others, metadata)
    await afterProjected(readModel, deviceProjection, bucketKey(userId), handled.value.position)
    return ok(undefined)
  }
}
export type RegisterToken = ReturnType<typeof createRegisterToken>
