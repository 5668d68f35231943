import { tooManyTokens } from '@portal/contracts/notifications/errors'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Session } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import type { HandleDevice } from './devices.ts'
import { deviceProjection, lastUseOf, maxTokensPerUser, tokensOf, tokensRef, type UserToken } from './projection.ts'

/** Stops a browser that registers in a loop. Each token has its own stream, forever. */
export const newTokensLimit: AttemptLimit = { max: 30, windowMs: 60 * 60_000 }

type RegisterTokenDeps = {
  readonly handle: HandleDevice
  readonly readModel: Pick<ReadStore, 'get'> & Pick<Checkpoints, 'whenApplied'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt'>
  readonly newTokensPerUser: AttemptLimiter
  /** Whether the session is on the denylist. */
  readonly isEnded: (session: Pick<Session, 'userId' | 'sessionId'>) => Promise<boolean>
  readonly now: () => Date
  readonly logger: Logger
}

/** The day in UTC. A day of the user's own would need their time zone. */
const dayOf = (at: string): string => at.slice(0, 10)

/**
 * Registers a push token for the caller and waits until pushes use it. The newest twenty tokens of a user are kept.
 */
export const createRegisterToken = ({
  handle,
  readModel,
  vault,
  newTokensPerUser,
  isEnded,
  now,
  logger,
}: RegisterTokenDeps) => {
  /**
   * Records the removal of tokens that the projection has displaced. Nothing depends on it: if it fails, or two
   * registrations race, the displaced token can still be registered again.
   */
  const recordSuperseded = async (others: readonly UserToken[], metadata: EventMetadata): Promise<void> => {
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - maxTokensPerUser))
    try {
      for (const { tokenIndex, token } of tooMany) await handle({ type: 'SupersedeToken', tokenIndex, token }, metadata)
    } catch (err) {
      logger.warn({ err }, 'superseded push token could not be recorded as removed')
    }
  }

  /**
   * A session can end during the registration. Then the handler of that event has not seen the token, so it is
   * removed here. If this fails, the consumer of the registration removes it (createEndPushTokens).
   */
  const endIfSessionEnded = async (
    session: Pick<Session, 'userId' | 'sessionId'>,
    tokenIndex: string,
    metadata: EventMetadata,
  ): Promise<boolean> => {
    try {
      if (!(await isEnded(session))) return false
      await handle({ type: 'EndSessionOfToken', tokenIndex, sessionId: session.sessionId }, metadata)
      return true
    } catch (err) {
      logger.warn({ err }, 'session of a new push token could not be checked, checking it again later')
      return false
    }
  }

  return async (
    { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
    { token: text, deviceName }: { readonly token: string; readonly deviceName: string },
    metadata: EventMetadata,
  ): Promise<Result<{ readonly isRevoked: boolean }, ApiError>> => {
    const tokenIndex = vault.index('push-token', text)
    const tokens = tokensOf(await readModel.get(tokensRef(userId)))
    const kept = tokens.find((token) => token.tokenIndex === tokenIndex)
    if (kept?.sessionId !== sessionId) {
      const wait = await newTokensPerUser.attempt(userId)
      if (wait !== undefined) return rejected({ ...tooManyTokens(formatDuration(wait)), retryAfterSeconds: wait })
    }
    const token = await vault.encrypt(userId, text)
    const lastUse = kept && lastUseOf(kept)
    const isFirstUseOfDay = lastUse === undefined || dayOf(lastUse) !== dayOf(now().toISOString())
    const isKept = kept !== undefined
    const registration = { tokenIndex, userId, sessionId, token, deviceName, isKept, isFirstUseOfDay }
    const handled = await handle({ type: 'RegisterToken', ...registration }, metadata)
    if (!handled.ok) return ok({ isRevoked: false })
    if (handled.value.position === undefined) return ok({ isRevoked: handled.value.state?.isRevoked === true })
    if (await endIfSessionEnded({ userId, sessionId }, tokenIndex, metadata)) return rejected(apiErrors.unauthenticated)
    const others = tokens.filter((one) => one !== kept)
    await recordSuperseded(others, metadata)
    const { position: eventPosition } = handled.value
    const awaited = { projection: deviceProjection, partition: bucketKey(userId), eventPosition }
    await waitForProjection(readModel, awaited)
    return ok({ isRevoked: false })
  }
}
export type RegisterToken = ReturnType<typeof createRegisterToken>
