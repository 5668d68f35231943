import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import { createInTurn } from '@portal/platform/decider/in-turn'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Refusal } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { unlessBusy } from '../passwords/unless-busy.ts'
import type { Profile } from '../user/profile.ts'
import { studentCodeOf } from '../user/student-code.ts'
import { browserHashOf } from './browser-secret.ts'
import { type Channel, type PerChannel } from './channel.ts'
import { codeHashOf } from './code-hash.ts'
import type { FreshCodes, RegistrationCommand } from './commands.ts'
import type { Completion } from './completion.ts'
import { refusalOfInitiation, registrationDecider } from './decider.ts'
import type { RegistrationDetails } from './events.ts'
import { refusalOf, refusals } from './refusals.ts'
import type { CodeSender, Recipient } from './send-codes.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly sources: Sources
  readonly passwords: PasswordHashing
  readonly completion: Completion
  readonly sendCodes: CodeSender
}

export type Applicant = Omit<Profile, 'studentCode'> & { readonly password: string }

export type Caller = {
  /** Undefined for one that keeps no cookies. */
  readonly browserSecret: string | undefined
  readonly metadata: EventMetadata
}

export const createRegistrations = ({ eventStore, vault, sources, passwords, completion, sendCodes }: Deps) => {
  const inTurn = createInTurn()

  const handle = (emailIndex: string, command: RegistrationCommand, metadata: EventMetadata) => {
    const eventId = eventIdsOf(sources.newId())
    return inTurn(emailIndex, () =>
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

  /** Only what was recorded is sent, and what could not be sent is recorded as such, so that it may be repeated at once. */
  const send = async (
    emailIndex: string,
    issueId: string,
    recipient: Recipient,
    codes: PerChannel<string>,
    metadata: EventMetadata,
  ): Promise<boolean> => {
    const areSent = await sendCodes(recipient, codes)
    if (!areSent) await handle(emailIndex, { type: 'ReportCodesNotSent', issueId }, metadata)
    return areSent
  }

  return {
    /** Answers what tells the caller's browser from others. */
    initiate: async (
      applicant: Applicant,
      { metadata, ...caller }: Caller,
    ): Promise<Result<{ readonly browserSecret: string }, Refusal>> => {
      const { personalEmail, mobileNumber } = applicant
      const emailIndex = vault.index('email', personalEmail)
      const { state } = await loadState(eventStore, registrationDecider, emailIndex)
      const refusal = refusalOfInitiation(state, sources.now())
      if (refusal) return rejected(refusalOf(refusal))

      const userId = state.status === 'pending' ? state.details.userId : userIdSchema.parse(sources.newId())
      const browserSecret = caller.browserSecret ?? sources.newSecret()
      const prepared = await unlessBusy(async () => ok(await detailsOf(applicant, emailIndex, userId, browserSecret)))
      if (!prepared.ok) return prepared
      const details = prepared.value
      const { codes, fresh } = freshCodes(emailIndex, ['email', 'mobile'])
      const handled = await handle(emailIndex, { type: 'InitiateRegistration', details, fresh }, metadata)
      if (!handled.ok) return rejected(refusalOf(handled.error))
      const areSent = await send(emailIndex, fresh.issueId, { email: personalEmail, mobileNumber }, codes, metadata)
      return areSent ? ok({ browserSecret }) : rejected(refusals.sendFailed)
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
    ): Promise<Result<void, Refusal>> => {
      const emailIndex = vault.index('email', email)
      const hashOf = (channel: Channel) => {
        const code = entered[channel]
        return code === undefined ? undefined : codeHashOf(vault, emailIndex, channel, code)
      }
      const handled = await handle(
        emailIndex,
        {
          type: 'VerifyCodes',
          mobileIndex: vault.index('mobile', mobileNumber),
          browserHash: browserHashOf(vault, emailIndex, browserSecret),
          entered: { email: hashOf('email'), mobile: hashOf('mobile') },
          now: sources.now(),
        },
        metadata,
      )
      if (!handled.ok) return rejected(refusalOf(handled.error))
      const { state } = handled.value
      if (state.status !== 'completed') return rejected(refusals.wrongCode)
      await completion.complete(state.details, metadata)
      return ok(undefined)
    },
  }
}
export type Registrations = ReturnType<typeof createRegistrations>
