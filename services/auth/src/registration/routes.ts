import {
  notListed,
  resendFailed,
  sendFailed,
  sentTooRecently,
  tooManyChecks,
  tooManyCodes,
  tooManyRegistrations,
} from '@portal/contracts/auth/errors'
import { initiateRegistration, resendCodes, verifyRegistration } from '@portal/contracts/auth/http'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { addressGroup } from '@portal/platform/limits/address-group'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import {
  callerOf as securityCallerOf,
  type SecurityEventName,
  type SecurityLog,
} from '@portal/platform/security-log/security-log'
import type { Cookies } from '@portal/platform/session/cookies'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterWait } from '../after-wait.ts'
import { rejectGuessablePassword } from '../passwords/guessable-password.ts'
import { browserCookie, browserHashOf, browserSecretOf } from './browser-secret.ts'
import { codeLimits } from './code-limits.ts'
import { channels } from './events.ts'
import type { Caller } from './handle-registration.ts'
import type { ListedUniversities } from './listed-universities.ts'
import type { RegistrationLimits } from './registration-limits.ts'
import type { Delivered, Registrations } from './registrations.ts'

type RegistrationRoutesDeps = {
  readonly bind: BindRoute
  readonly cookies: Pick<Cookies, 'set'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly registrations: Registrations
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly limits: RegistrationLimits
  /** Absent: any university is accepted. */
  readonly universities?: ListedUniversities | undefined
  readonly securityLog: SecurityLog
}

/** Longest wait for another code, in seconds. */
const longestResendWait = codeLimits.resendIntervalMs / 1_000

const wasSendAttempted = (error: ApiError): boolean => error === sendFailed || error === resendFailed

const callerOf = (request: FastifyRequest): Caller => ({
  browserSecret: browserSecretOf(request),
  address: addressGroup(request.clientAddress),
  metadata: metadataOf({ request }),
})

/** Complete texts, so that a search finds them. */
const resentText = {
  email: 'OTP resent successfully to your email!',
  mobile: 'OTP resent successfully to your mobile!',
  both: 'OTP resent successfully to your email and phone!',
} as const
const unconfirmedText = 'Your OTPs may still arrive. If they do not within a minute, ask for new ones.'
const byEmailOnlyText = 'OTP sent successfully to your email! Enter that one, because no SMS could be sent.'

const codesSent = ({ isUnconfirmed, isByEmailOnly }: Delivered, sentText: string) => ({
  success: true as const,
  message: isUnconfirmed ? unconfirmedText : isByEmailOnly ? byEmailOnlyText : sentText,
  ...(isUnconfirmed && { isUnconfirmed }),
  ...(isByEmailOnly && { isByEmailOnly }),
})

export const registrationRoutes = (app: FastifyInstance, deps: RegistrationRoutesDeps): void => {
  const { bind, cookies, clockAndIds, registrations, vault, limits, universities, securityLog } = deps

  const record = (request: FastifyRequest, event: SecurityEventName, mailbox: string, error?: ApiError): void =>
    securityLog.record({
      ...securityCallerOf(request),
      event,
      mailbox,
      result: error ? 'refused' : 'ok',
      ...(error && { code: error.code }),
    })

  bind(app, initiateRegistration, async ({ body, request, reply }) => {
    const guessable = rejectGuessablePassword('password', body.password, body)
    if (guessable) return rejected(guessable)
    const university = await universities?.find(body.universityName)
    if (university?.ok === false) return rejected({ ...notListed, errors: { universityName: notListed.message } })
    const caller = callerOf(request)
    const mailbox = vault.index('email', body.personalEmail)
    const fromAddress = await limits.beginFrom(caller.address)
    if (fromAddress.wait !== undefined) return rejected(afterWait(tooManyRegistrations, fromAddress.wait))
    const toMobile = await limits.sendTo(vault.index('mobile', body.mobileNumber))
    if (toMobile.wait !== undefined) {
      await fromAddress.takeBack()
      return rejected(afterWait(tooManyCodes, toMobile.wait))
    }
    const initiated = await registrations.initiate({ ...body, universityId: university?.value }, caller)
    record(request, 'registration-begun', mailbox, initiated.ok ? undefined : initiated.error)
    if (!initiated.ok) {
      if (!wasSendAttempted(initiated.error)) await toMobile.takeBack()
      return initiated
    }
    cookies.set(request, reply, browserCookie(initiated.value.browserSecret, clockAndIds.now()))
    return ok(codesSent(initiated.value, 'OTPs sent successfully to your email and phone!'))
  })

  bind(app, resendCodes, async ({ body, request }) => {
    const { email, mobileNumber, type } = body
    const wanted = type === 'both' ? channels : [type]
    const caller = callerOf(request)
    const mailbox = vault.index('email', email)
    const mobile = vault.index('mobile', mobileNumber)
    // Callers who did not begin the registration all get the same answer, which does not reveal its mobile number.
    const isStranger = caller.browserSecret === undefined
    const asked = isStranger ? await limits.askFor(mailbox, mobile, wanted, caller.address) : undefined
    if (asked?.wait !== undefined)
      return rejected(afterWait(asked.wait > longestResendWait ? tooManyCodes : sentTooRecently, asked.wait))
    const toMobile = type === 'email' || isStranger ? undefined : await limits.sendTo(mobile)
    if (toMobile?.wait !== undefined) return rejected(afterWait(tooManyCodes, toMobile.wait))
    const resent = await registrations.resend({ email, mobileNumber }, wanted, caller)
    record(request, 'code-sent', mailbox, resent.ok ? undefined : resent.error)
    if (!resent.ok && !isStranger) {
      if (!wasSendAttempted(resent.error)) await toMobile?.takeBack()
      return resent
    }
    return ok(resent.ok ? codesSent(resent.value, resentText[type]) : { success: true, message: resentText[type] })
  })

  bind(app, verifyRegistration, async ({ body, request }) => {
    const { email, mobileNumber, otpEmail, otpMobile } = body
    const caller = callerOf(request)
    const mailbox = vault.index('email', email)
    // Checked in every state of the registration, so that the limit reveals nothing about it.
    const check = await limits.check(mailbox, browserHashOf(vault, mailbox, caller.browserSecret), caller.address)
    if (check.wait !== undefined) return rejected(afterWait(tooManyChecks, check.wait))
    const verified = await registrations.verify({ email, mobileNumber }, { email: otpEmail, mobile: otpMobile }, caller)
    record(request, 'code-checked', mailbox, verified.ok ? undefined : verified.error)
    if (!verified.ok) return verified
    await check.takeBack()
    const { userId, reclaimedFrom, isRepetition } = verified.value
    const who = { ...securityCallerOf(request), mailbox, userId, result: 'ok' } as const
    if (!isRepetition) securityLog.record({ ...who, event: 'registration-completed' })
    if (reclaimedFrom) securityLog.record({ ...who, event: 'email-reclaimed', target: reclaimedFrom })
    return ok({ success: true, message: 'Account created successfully! Redirecting to home page...' })
  })
}
