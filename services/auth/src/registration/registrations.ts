import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { EventStore } from '@portal/platform/event-store/port'
import type { Refusal } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { unlessBusy } from '../passwords/unless-busy.ts'
import type { Profile } from '../user/profile.ts'
import { studentCodeOf } from '../user/student-code.ts'
import { browserHashOf } from './browser-secret.ts'
import type { Channel } from './channel.ts'
import type { Completion } from './completion.ts'
import { pendingOfBrowser, refusalOfInitiation, registrationDecider } from './decider.ts'
import type { RegistrationDetails } from './events.ts'
import { type Caller, createHandleRegistration } from './handle-registration.ts'
import { createCodeIssuer, issuedOf } from './issue-codes.ts'
import { refusalOf, refusals, tooManyCodes } from './refusals.ts'
import type { RegistrationLimits } from './registration-limits.ts'
import type { CodeSender, OwnerTold, Recipient } from './send-codes.ts'
import { createVerifyCodes } from './verify-codes.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly sources: Sources
  readonly passwords: PasswordHashing
  readonly completion: Completion
  readonly confirmNumber: ConfirmNumber
  readonly limits: RegistrationLimits
  readonly sendCodes: CodeSender
  readonly tellOwner: OwnerTold
}

export type Applicant = Omit<Profile, 'studentCode'> & { readonly password: string }

export const createRegistrations = (deps: Deps) => {
  const { eventStore, vault, sources, passwords, completion, confirmNumber, limits, sendCodes, tellOwner } = deps
  const handle = createHandleRegistration(eventStore, sources)
  const { freshCodes, send } = createCodeIssuer({ vault, sources, limits, sendCodes, handle })

  const detailsOf = async (
    { password, ...person }: Applicant,
    emailIndex: string,
    userId: UserId,
    browserSecret: string,
  ): Promise<RegistrationDetails> => {
    const hash = await passwords.hash(password)
    const profile: Profile = { ...person, studentCode: studentCodeOf(userId, sources.now()) }
    return {
      userId,
      role: 'student',
      emailIndex,
      mobileIndex: vault.index('mobile', person.mobileNumber),
      profile: await vault.seal(userId, JSON.stringify(profile)),
      credential: await vault.seal(userId, hash),
      browserHash: browserHashOf(vault, emailIndex, browserSecret),
    }
  }

  return {
    /** Answers what tells the caller's browser from others. */
    initiate: async (
      applicant: Applicant,
      { metadata, address, ...caller }: Caller,
    ): Promise<Result<{ readonly browserSecret: string }, Refusal>> => {
      const { personalEmail, mobileNumber } = applicant
      const emailIndex = vault.index('email', personalEmail)
      const mobileIndex = vault.index('mobile', mobileNumber)
      const { state } = await loadState(eventStore, registrationDecider, emailIndex)
      const refusal = refusalOfInitiation(state)
      if (refusal) return rejected(refusalOf(refusal))

      const own = pendingOfBrowser(state, browserHashOf(vault, emailIndex, caller.browserSecret))
      const begun: (() => Promise<void>)[] = []
      if (!own) {
        const repeat = await limits.repeat(emailIndex, mobileIndex, address)
        if (repeat.wait !== undefined) {
          return rejected(refusalOf({ reason: 'sent-too-recently', retryAfterSeconds: repeat.wait }))
        }
        begun.push(repeat.takeBack)
        const begin = await limits.beginFor(emailIndex, address)
        if (begin.wait !== undefined) return rejected(tooManyCodes(begin.wait))
        begun.push(begin.takeBack)
      }
      const takeBack = () => Promise.all(begun.map((undo) => undo()))

      const userId = own?.details.userId ?? userIdSchema.parse(sources.newId())
      const browserSecret = caller.browserSecret ?? sources.newSecret()
      const prepared = await unlessBusy(async () => ok(await detailsOf(applicant, emailIndex, userId, browserSecret)))
      if (!prepared.ok) {
        await takeBack()
        return prepared
      }
      const details = prepared.value
      const { codes, fresh } = freshCodes(emailIndex, ['email', 'mobile'])
      const handled = await handle(emailIndex, { type: 'InitiateRegistration', details, fresh }, metadata)
      if (!handled.ok) return rejected(refusalOf(handled.error))
      const due = issuedOf(codes, handled.value.events)
      // The browser can still enter what it was sent a moment ago.
      if (due.email === undefined && due.mobile === undefined) return ok({ browserSecret })
      const areSent = await send(emailIndex, fresh.issueId, { email: personalEmail, mobileNumber }, due, metadata)
      if (areSent) return ok({ browserSecret })
      await takeBack()
      return rejected(refusals.sendFailed)
    },

    resend: async (
      recipient: Recipient,
      channels: readonly Channel[],
      { browserSecret, metadata }: Caller,
    ): Promise<Result<void, Refusal>> => {
      const emailIndex = vault.index('email', recipient.email)
      const mobileIndex = vault.index('mobile', recipient.mobileNumber)
      const browserHash = browserHashOf(vault, emailIndex, browserSecret)
      const { codes, fresh } = freshCodes(emailIndex, channels)
      const handled = await handle(emailIndex, { type: 'ResendCodes', mobileIndex, browserHash, fresh }, metadata)
      if (!handled.ok) {
        const { error } = handled
        return rejected(refusalOf(error.reason === 'does-not-match' ? { reason: 'not-pending' } : error))
      }
      const areSent = await send(emailIndex, fresh.issueId, recipient, codes, metadata)
      return areSent ? ok(undefined) : rejected(refusals.resendFailed)
    },

    verify: createVerifyCodes({ eventStore, vault, sources, completion, confirmNumber, tellOwner, handle }),
  }
}
export type Registrations = ReturnType<typeof createRegistrations>
