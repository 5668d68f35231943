import { initiateRegistration, resendCodes, verifyRegistration } from '@portal/contracts/auth/http'
import { ok, rejected } from '@portal/platform/decider/result'
import type { Cookies } from '@portal/platform/http/cookies'
import { metadataOf } from '@portal/platform/http/call-metadata'
import type { BindRoute, Refusal } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressGroup } from '@portal/platform/http/address-group'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import { refuseGuessable } from '../passwords/refuse-guessable.ts'
import { browserCookie, browserSecretOf } from './browser-secret.ts'
import { channels } from './channel.ts'
import type { ListedUniversities } from './listed-universities.ts'
import { refusals, tooManyCodes, tooManyRegistrations } from './refusals.ts'
import type { Caller, Registrations } from './registrations.ts'

type Deps = {
  readonly bind: BindRoute
  readonly cookies: Pick<Cookies, 'set'>
  readonly sources: Pick<Sources, 'now'>
  readonly registrations: Registrations
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly perAddress: AttemptLimiter
  readonly codesPerMobile: AttemptLimiter
  /** Where it is known. */
  readonly universities?: ListedUniversities | undefined
}

const chooseFromList = 'Please choose a university from the list'
const notListed: Refusal = { code: 'invalid', message: chooseFromList, errors: { universityName: chooseFromList } }

const wasSendingTried = (refusal: Refusal): boolean =>
  refusal === refusals.sendFailed || refusal === refusals.resendFailed

const callerOf = (request: FastifyRequest): Caller => ({
  browserSecret: browserSecretOf(request),
  metadata: metadataOf({ request }),
})

/** Whole, so that a search finds them. */
const resentText = {
  email: 'OTP resent successfully to your email!',
  mobile: 'OTP resent successfully to your mobile!',
  both: 'OTP resent successfully to your email and phone!',
} as const

export const registrationRoutes = (app: FastifyInstance, deps: Deps): void => {
  const { bind, cookies, sources, registrations, vault, perAddress, codesPerMobile, universities } = deps

  bind(app, initiateRegistration, async ({ body, request, reply }) => {
    const guessable = refuseGuessable('password', body.password, body)
    if (guessable) return rejected(guessable)
    if ((await universities?.has(body.universityName)) === false) return rejected(notListed)
    const address = addressGroup(request.ip)
    const mobileIndex = vault.index('mobile', body.mobileNumber)
    const addressWait = await perAddress.attempt(address)
    if (addressWait !== undefined) return rejected(tooManyRegistrations(addressWait))
    const mobileWait = await codesPerMobile.attempt(mobileIndex)
    if (mobileWait !== undefined) {
      await perAddress.takeBack(address)
      return rejected(tooManyCodes(mobileWait))
    }
    const initiated = await registrations.initiate(body, callerOf(request))
    if (!initiated.ok) {
      if (!wasSendingTried(initiated.error)) await codesPerMobile.takeBack(mobileIndex)
      return initiated
    }
    cookies.set(request, reply, browserCookie(initiated.value.browserSecret, sources.now()))
    return ok({ success: true, message: 'OTPs sent successfully to your email and phone!' })
  })

  bind(app, resendCodes, async ({ body, request }) => {
    const { email, mobileNumber, type } = body
    const mobileIndex = vault.index('mobile', mobileNumber)
    const wanted = type === 'both' ? channels : [type]
    const isToMobile = type !== 'email'
    const wait = isToMobile ? await codesPerMobile.attempt(mobileIndex) : undefined
    if (wait !== undefined) return rejected(tooManyCodes(wait))
    const resent = await registrations.resend({ email, mobileNumber }, wanted, callerOf(request))
    if (!resent.ok) {
      if (isToMobile && !wasSendingTried(resent.error)) await codesPerMobile.takeBack(mobileIndex)
      return resent
    }
    return ok({ success: true, message: resentText[type] })
  })

  bind(app, verifyRegistration, async ({ body, request }) => {
    const { email, mobileNumber, otpEmail, otpMobile } = body
    const entered = { email: otpEmail, mobile: otpMobile }
    const verified = await registrations.verify({ email, mobileNumber }, entered, callerOf(request))
    if (!verified.ok) return verified
    return ok({ success: true, message: 'Account created successfully! Redirecting to home page...' })
  })
}
