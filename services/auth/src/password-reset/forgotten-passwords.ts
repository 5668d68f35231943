import { linkNotValid } from '@portal/contracts/auth/errors'
import type { UserId } from '@portal/contracts/shared/ids'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { ConcurrencyError, handleCommand, type LoadedState, loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { rejectGuessablePassword } from '../passwords/guessable-password.ts'
import { rejectWhenBusy } from '../passwords/password-hashing.ts'
import { createAccountAddress } from '../user/account-address.ts'
import { isOfCurrentPassword, userDecider } from '../user/decider.ts'
import { openProfile, type Profile } from '../user/profile.ts'
import { loginRef, loginSchema } from '../user/projection.ts'
import type { ReplacePassword } from '../user/replace-password.ts'
import { accountOfToken, passwordResetDecider, type PasswordResetState } from './decider.ts'
import type { ResetAccount } from './events.ts'
import { emailIndexOf, newResetToken, resetTokenHash, revisionOf, withRevision } from './reset-token.ts'
import { type LinkSender, resetMailOf } from './send-link.ts'

export type ForgottenPasswordsDeps = {
  readonly eventStore: EventStore
  readonly logins: ReadStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
  readonly links: Pick<LinkSender, 'send'>
  readonly replacePassword: ReplacePassword
}

type FoundAccount = ResetAccount & { readonly emailIndex: string; readonly owner: Profile }

export const createForgottenPasswords = ({
  eventStore,
  logins,
  vault,
  clockAndIds,
  links,
  replacePassword,
}: ForgottenPasswordsDeps) => {
  const runExclusive = createKeyedMutex()
  const accountAddress = createAccountAddress(vault, logins)

  /**
   * Appends without reading the stream, because a request has no rule to check. Anyone can make requests, and their
   * number must not slow down the next one. Returns the revision.
   */
  const recordRequest = async (
    emailIndex: string,
    tokenHash: string,
    account: ResetAccount | undefined,
    metadata: EventMetadata,
  ): Promise<number> => {
    const command = { type: 'RequestPasswordReset', tokenHash, account, now: clockAndIds.now() } as const
    const decided = passwordResetDecider.decide(command, passwordResetDecider.initial)
    if (!decided.ok) throw new Error(`A reset request was rejected: ${decided.error}`)
    const eventId = eventIdsOf(clockAndIds.newId())
    const events = decided.value.map((event, index) => ({ ...event, id: eventId(index), metadata }))
    const answer = await eventStore.append(streamOf(passwordResetDecider.category, emailIndex), 'any', events)
    if (answer.kind === 'conflict') throw new ConcurrencyError(passwordResetDecider.category, 1)
    return answer.revision
  }

  /** Skips events before the token's request; they do not affect the token. */
  const beforeRequest = (token: string): LoadedState<PasswordResetState> => {
    const revision = revisionOf(token)
    return { state: passwordResetDecider.initial, revision: revision === 0 ? 'no-stream' : revision - 1 }
  }

  const recordUse = (emailIndex: string, token: string, metadata: EventMetadata) => {
    const command = { type: 'UseResetToken', tokenHash: resetTokenHash(vault, token), now: clockAndIds.now() } as const
    const options = { eventId: eventIdsOf(clockAndIds.newId()), metadata, known: beforeRequest(token) }
    return runExclusive(emailIndex, () => handleCommand(eventStore, passwordResetDecider, emailIndex, command, options))
  }

  const accountOf = async (emailIndex: string): Promise<ResetAccount | undefined> => {
    const document = await logins.get(loginRef(emailIndex))
    if (document === undefined) return undefined
    const { userId, credential } = loginSchema.parse(document)
    return { userId, replaces: credential }
  }

  const findAccount = async (token: string): Promise<FoundAccount | undefined> => {
    const emailIndex = emailIndexOf(token)
    if (emailIndex === undefined) return undefined
    const { state } = await loadState(eventStore, passwordResetDecider, emailIndex, undefined, beforeRequest(token))
    const account = accountOfToken(state, resetTokenHash(vault, token), clockAndIds.now())
    if (!account.ok) return undefined
    const { state: user } = await loadState(eventStore, userDecider, account.value.userId)
    if (user.status !== 'active' || !isOfCurrentPassword(user, account.value.replaces)) return undefined
    const owner = await openProfile(vault, user.userId, user.profile)
    return owner && { ...account.value, emailIndex, owner }
  }

  const setPassword = async (token: string, password: string, metadata: EventMetadata) => {
    const account = await findAccount(token)
    if (!account) return rejected(linkNotValid)
    const { emailIndex, userId, replaces } = account
    const guessable = rejectGuessablePassword('password', password, account.owner)
    if (guessable) return rejected(guessable)
    const replaced = await replacePassword(
      { userId, replaces, password, endsSessions: { reason: 'password-reset' } },
      metadata,
    )
    // Another use of the token, or a password change, came first.
    if (!replaced.ok) return rejected(linkNotValid)
    await recordUse(emailIndex, token, metadata)
    return ok({ emailIndex, userId })
  }

  return {
    /** Takes the same steps whether or not the address has an account. */
    request: async (typed: string, metadata: EventMetadata): Promise<void> => {
      const { email, emailIndex } = await accountAddress(typed)
      const account = await accountOf(emailIndex)
      const token = newResetToken(emailIndex)
      const tokenHash = resetTokenHash(vault, token)
      const revision = await recordRequest(emailIndex, tokenHash, account, metadata)
      if (!account) return
      const { userId } = account
      const isDue = async () => (await accountOf(emailIndex))?.userId === userId
      links.send(resetMailOf({ email, userId, token: withRevision(token, revision), isDue }))
    },

    /**
     * Sets the password of the token's user. The append that changes the password also invalidates the token, so of two
     * concurrent uses one succeeds. The use is recorded afterwards.
     */
    reset: (
      token: string,
      password: string,
      metadata: EventMetadata,
    ): Promise<Result<{ readonly emailIndex: string; readonly userId: UserId }, ApiError>> =>
      rejectWhenBusy(() => setPassword(token, password, metadata)),
  }
}
export type ForgottenPasswords = ReturnType<typeof createForgottenPasswords>
