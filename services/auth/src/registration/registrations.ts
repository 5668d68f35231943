import { resendFailed, sendFailed, tooManyCodes } from '@portal/contracts/auth/errors'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Logger } from 'pino'
import { afterWait } from '../after-wait.ts'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import { type PasswordHashing, rejectWhenBusy } from '../passwords/password-hashing.ts'
import type { Profile } from '../user/profile.ts'
import { apiErrorOf } from './api-errors.ts'
import { browserHashOf } from './browser-secret.ts'
import type { Completion } from './completion.ts'
import { pendingOfBrowser, initiationRejection } from './decider.ts'
import { encryptDetails, studentCodeOf } from './details.ts'
import type { Channel, RegistrationDetails } from './events.ts'
import { type Caller, createRegistrationStreams } from './handle-registration.ts'
import { createCodeIssuer, issuedOf } from './issue-codes.ts'
import type { RegistrationLimits } from './registration-limits.ts'
import type { CodeSender, NotifyOwner, Recipient } from './send-codes.ts'
import { createVerifyCodes } from './verify-codes.ts'

type RegistrationsDeps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
  readonly passwords: PasswordHashing
  readonly completion: Completion
  readonly confirmNumber: ConfirmNumber
  readonly limits: RegistrationLimits
  readonly sendCodes: CodeSender
  readonly notifyOwner: NotifyOwner
  readonly logger: Pick<Logger, 'error'>
}

/** How the codes were sent. */
export type Delivered = { readonly isUnconfirmed: boolean; readonly isByEmailOnly: boolean }

type Applicant = Omit<Profile, 'studentCode'> & { readonly password: string }

const sentAsAsked: Delivered = { isUnconfirmed: false, isByEmailOnly: false }

export const createRegistrations = (deps: RegistrationsDeps) => {
  const {
    eventStore,
    vault,
    clockAndIds,
    passwords,
    completion,
    confirmNumber,
    limits,
    sendCodes,
    notifyOwner,
    logger,
  } = deps
  const { load, handle } = createRegistrationStreams(eventStore, clockAndIds)
  const { freshCodes, send } = createCodeIssuer({ vault, clockAndIds, limits, sendCodes, handle })

  const detailsOf = async (
    { password, ...person }: Applicant,
    userId: UserId,
    browserSecret: string,
  ): Promise<RegistrationDetails> => {
    const passwordHash = await passwords.hash(password)
    const profile: Profile = { ...person, studentCode: studentCodeOf(userId, clockAndIds.now()) }
    const details = await encryptDetails(vault, { userId, role: 'student', profile, passwordHash })
    return { ...details, browserHash: browserHashOf(vault, details.emailIndex, browserSecret) }
  }

  return {
    /** Returns the secret that identifies the browser of the caller. */
    initiate: async (
      applicant: Applicant,
      { metadata, address, ...caller }: Caller,
    ): Promise<Result<Delivered & { readonly browserSecret: string }, ApiError>> => {
      const { personalEmail, mobileNumber } = applicant
      const emailIndex = vault.index('email', personalEmail)
      const mobileIndex = vault.index('mobile', mobileNumber)
      const { state } = await load(emailIndex)
      const rejection = initiationRejection(state)
      if (rejection) return rejected(apiErrorOf(rejection))

      const own = pendingOfBrowser(state, browserHashOf(vault, emailIndex, caller.browserSecret))
      const begun: (() => Promise<void>)[] = []
      if (!own) {
        const repeat = await limits.repeat(emailIndex, mobileIndex, address)
        if (repeat.wait !== undefined) {
          return rejected(apiErrorOf({ reason: 'sent-too-recently', retryAfterSeconds: repeat.wait }))
        }
        begun.push(repeat.takeBack)
        const begin = await limits.beginFor(emailIndex, address)
        if (begin.wait !== undefined) return rejected(afterWait(tooManyCodes, begin.wait))
        begun.push(begin.takeBack)
      }
      const takeBack = () => Promise.all(begun.map((undo) => undo()))

      const userId = own?.details.userId ?? userIdSchema.parse(clockAndIds.newId())
      const browserSecret = caller.browserSecret ?? clockAndIds.newSecret()
      const prepared = await rejectWhenBusy(async () => ok(await detailsOf(applicant, userId, browserSecret)))
      if (!prepared.ok) {
        await takeBack()
        return prepared
      }
      const details = prepared.value
      const { codes, fresh } = freshCodes(emailIndex, ['email', 'mobile'])
      const handled = await handle(emailIndex, { type: 'InitiateRegistration', details, fresh }, metadata)
      if (!handled.ok) return rejected(apiErrorOf(handled.error))
      const due = issuedOf(codes, handled.value.events)
      // The browser can still enter the code that it was just sent.
      if (due.email === undefined && due.mobile === undefined) return ok({ browserSecret, ...sentAsAsked })
      const recipient = { email: personalEmail, mobileNumber, userIds: [userId] }
      const { sending, isByEmailOnly } = await send(emailIndex, fresh.issueId, recipient, due, { address, metadata })
      if (sending !== 'failed') return ok({ browserSecret, isUnconfirmed: sending === 'unconfirmed', isByEmailOnly })
      await takeBack()
      return rejected(sendFailed)
    },

    resend: async (
      recipient: Recipient,
      channels: readonly Channel[],
      { browserSecret, address, metadata }: Caller,
    ): Promise<Result<Delivered, ApiError>> => {
      const emailIndex = vault.index('email', recipient.email)
      const mobileIndex = vault.index('mobile', recipient.mobileNumber)
      const browserHash = browserHashOf(vault, emailIndex, browserSecret)
      const { codes, fresh } = freshCodes(emailIndex, channels)
      const handled = await handle(emailIndex, { type: 'ResendCodes', mobileIndex, browserHash, fresh }, metadata)
      if (!handled.ok) {
        const { error } = handled
        return rejected(apiErrorOf(error.reason === 'does-not-match' ? { reason: 'not-pending' } : error))
      }
      const userIds = handled.value.events.flatMap((event) =>
        event.type === 'CodesIssued' && event.data.userId !== undefined ? [event.data.userId] : [],
      )
      const sendNow = () => send(emailIndex, fresh.issueId, { ...recipient, userIds }, codes, { address, metadata })
      if (browserSecret !== undefined) {
        const { sending, isByEmailOnly } = await sendNow()
        return sending === 'failed'
          ? rejected(resendFailed)
          : ok({ isUnconfirmed: sending === 'unconfirmed', isByEmailOnly })
      }
      // The time that it takes, and a limit of the number, would tell a stranger that there is something to send.
      const sendToRightNumber = async () => {
        const toMobile = codes.mobile === undefined ? undefined : await limits.sendTo(mobileIndex)
        if (toMobile?.wait === undefined) await sendNow()
      }
      void sendToRightNumber().catch((err: unknown) => logger.error({ err }, 'codes could not be sent again'))
      return ok(sentAsAsked)
    },

    verify: createVerifyCodes({ load, vault, clockAndIds, completion, confirmNumber, notifyOwner, handle }),
  }
}
export type Registrations = ReturnType<typeof createRegistrations>
