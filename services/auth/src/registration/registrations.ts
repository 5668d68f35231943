import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Refusal } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { unlessBusy } from '../passwords/unless-busy.ts'
import type { Profile } from '../user/profile.ts'
import { studentCodeOf } from '../user/student-code.ts'
import { browserHashOf } from './browser-secret.ts'
import { type Channel, type PerChannel } from './channel.ts'
import { codeHashOf } from './code-hash.ts'
import type { FreshCodes, RegistrationCommand } from './commands.ts'
import type { Completion } from './completion.ts'
import { pendingOfBrowser, refusalOfInitiation, registrationDecider } from './decider.ts'
import type { RegistrationDetails, RegistrationEvent } from './events.ts'
import { refusalOf, refusals, tooManyCodes } from './refusals.ts'
import type { RegistrationLimits } from './registration-limits.ts'
import type { CodeSender, OwnerTold, Recipient } from './send-codes.ts'

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

export type Caller = {
  /** Undefined for one that keeps no cookies. */
  readonly browserSecret: string | undefined
  /** Group of the network address. */
  readonly address: string
  readonly metadata: EventMetadata
}

export type Verified = {
  readonly userId: UserId
  /** Who had the address before, where this took it back from them. */
  readonly reclaimedFrom: UserId | undefined
  readonly isRepetition: boolean
}

const codesIn = (events: readonly RegistrationEvent[]): PerChannel<string> => {
  const issued = events.find((event) => event.type === 'CodesIssued')
  return issued?.data.codes ?? {}
}

export const createRegistrations = (deps: Deps) => {
  const { eventStore, vault, sources, passwords, completion, confirmNumber, limits, sendCodes, tellOwner } = deps
  const runExclusive = createKeyedMutex()

  const handle = (emailIndex: string, command: RegistrationCommand, metadata: EventMetadata) => {
    const eventId = eventIdsOf(sources.newId())
    return runExclusive(emailIndex, () =>
      handleCommand(eventStore, registrationDecider, emailIndex, command, { eventId, metadata }),
    )
  }

  const freshCodes = (emailIndex: string, channels: readonly Channel[]) => {
    const codes: { [C in Channel]?: string } = {}
    const hashes: { [C in Channel]?: string } = {}
    for (const channel of channels) {
      const code = sources.newCode()
      codes[channel] = code
      hashes[channel] = codeHashOf(vault, emailIndex, channel, code)
    }
    const fresh: FreshCodes = { issueId: sources.newId(), codes: hashes, now: sources.now() }
    return { codes, fresh }
  }

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

  /**
   * Only what was recorded is sent, and what could not be sent is recorded as such, so that it may be repeated at once. Where the
   * portal's budget of SMS is used up, the mail alone goes out: one code is enough.
   */
  const send = async (
    emailIndex: string,
    issueId: string,
    recipient: Recipient,
    { email, mobile }: PerChannel<string>,
    metadata: EventMetadata,
  ): Promise<boolean> => {
    const sms = mobile === undefined ? undefined : await limits.sendSms()
    const codes = { email, mobile: sms?.wait === undefined ? mobile : undefined }
    const isAnySent = codes.email !== undefined || codes.mobile !== undefined
    const areSent = isAnySent && (await sendCodes(recipient, codes))
    if (!areSent) await handle(emailIndex, { type: 'ReportCodesNotSent', issueId }, metadata)
    return areSent
  }

  /** Those of the codes that were issued. */
  const chosen = (codes: PerChannel<string>, issued: PerChannel<string>): PerChannel<string> => ({
    email: issued.email === undefined ? undefined : codes.email,
    mobile: issued.mobile === undefined ? undefined : codes.mobile,
  })

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
      const due = chosen(codes, codesIn(handled.value.events))
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

    verify: async (
      { email, mobileNumber }: Recipient,
      entered: PerChannel<string>,
      { browserSecret, metadata }: Caller,
    ): Promise<Result<Verified, Refusal>> => {
      const emailIndex = vault.index('email', email)
      const mobileIndex = vault.index('mobile', mobileNumber)
      const hashOf = (channel: Channel) => {
        const code = entered[channel]
        return code === undefined ? undefined : codeHashOf(vault, emailIndex, channel, code)
      }
      const command = {
        type: 'VerifyCodes',
        mobileIndex,
        browserHash: browserHashOf(vault, emailIndex, browserSecret),
        entered: { email: hashOf('email'), mobile: hashOf('mobile') },
        now: sources.now(),
      } as const

      /** Before the registration is completed, because the number has a stream of its own. */
      const isNumberTaken = async (): Promise<boolean> => {
        if (entered.mobile === undefined) return false
        const { state } = await loadState(eventStore, registrationDecider, emailIndex)
        const expected = registrationDecider.decide(command, state)
        const completed = expected.ok && expected.value.find((event) => event.type === 'RegistrationCompleted')
        return completed ? !(await confirmNumber(mobileIndex, completed.data, metadata)) : false
      }

      const handled = await handle(emailIndex, { ...command, isNumberTaken: await isNumberTaken() }, metadata)
      if (!handled.ok) return rejected(refusalOf(handled.error))
      const { state, events } = handled.value
      const isWrong = events.some(({ type }) => type === 'WrongCodesEntered')
      if (isWrong || state.status !== 'completed') return rejected(refusals.wrongCode)
      await completion.complete(state, metadata)
      const isRepetition = events.length === 0
      if (!isRepetition && !state.isEmailProved) await tellOwner(email)
      const released = events.find((event) => event.type === 'EmailReleased')
      return ok({ userId: state.details.userId, reclaimedFrom: released?.data.userId, isRepetition })
    },
  }
}
export type Registrations = ReturnType<typeof createRegistrations>
