import { cleanEmail } from '@portal/contracts/shared/typed-input'
import { linkNotSent, linkNotValid, tooManyLinks, tooManyResets } from '@portal/contracts/auth/errors'
import { forgotPassword, resetPassword, resetPasswordByBody } from '@portal/contracts/auth/http'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import { addressGroup } from '@portal/platform/limits/address-group'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { attemptAll, type AttemptLimiter, refundAll } from '@portal/platform/limits/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { callerOf, type SecurityLog } from '@portal/platform/security-log/security-log'
import type { Cookies } from '@portal/platform/session/cookies'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterWait } from '../after-wait.ts'
import type { AcceptInvitation } from '../invitation/accept-invitation.ts'
import { knownDeviceCookie } from '../session/known-device.ts'
import type { LoginGuard } from '../session/login-guard.ts'
import type { ForgottenPasswords } from './forgotten-passwords.ts'
import type { LinkSender } from './send-link.ts'

type PasswordResetRoutesDeps = {
  readonly bind: BindRoute
  readonly forgottenPasswords: ForgottenPasswords
  readonly acceptInvitation: AcceptInvitation['accept']
  readonly links: Pick<LinkSender, 'hasCapacity'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly guard: Pick<LoginGuard, 'clearFailures'>
  readonly cookies: Pick<Cookies, 'set'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newSecret'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly limiters: LinkLimiters
}

export type LinkLimiters = {
  readonly perEmailAndAddress: AttemptLimiter
  readonly perEmail: AttemptLimiter
  readonly perAddress: AttemptLimiter
  readonly resetsPerAddress: AttemptLimiter
}

export const passwordResetRoutes = (app: FastifyInstance, deps: PasswordResetRoutesDeps): void => {
  const {
    bind,
    forgottenPasswords,
    acceptInvitation,
    links,
    vault,
    guard,
    cookies,
    clockAndIds,
    securityLog,
    limiters,
  } = deps

  bind(app, forgotPassword, async ({ body, request }) => {
    const { personalEmail } = body
    const emailIndex = vault.index('email', cleanEmail(personalEmail))
    const address = addressGroup(request.clientAddress)
    const { perEmailAndAddress, perEmail, perAddress } = limiters
    const counted = [
      { limiter: perEmailAndAddress, key: `${emailIndex} ${address}` },
      { limiter: perAddress, key: address },
    ]
    const wait = await attemptAll(counted)
    if (wait !== undefined) return rejected(afterWait(tooManyLinks, wait))
    // Rejects every caller alike, so the answer reveals nothing about this address.
    if (!links.hasCapacity()) {
      await refundAll(counted)
      return rejected(linkNotSent)
    }
    // A mailbox at its limit has links that work. The answer stays the same, so strangers cannot lock out the owner.
    if ((await perEmail.attempt(emailIndex)) === undefined) {
      await forgottenPasswords.request(personalEmail, metadataOf({ request }))
    }
    securityLog.record({ ...callerOf(request), event: 'password-reset-requested', result: 'ok', mailbox: emailIndex })
    return ok({ success: true, message: 'Password reset link sent to your email!' })
  })

  type Reset = {
    readonly token: string
    readonly password: string
    readonly request: FastifyRequest
    readonly reply: FastifyReply
  }
  /** The token is of a reset link, or of an invitation. */
  const setPassword = async (token: string, password: string, metadata: EventMetadata) => {
    const done = await forgottenPasswords.reset(token, password, metadata)
    if (done.ok || done.error !== linkNotValid) return { done, event: 'password-reset' } as const
    const accepted = await acceptInvitation(token, password, metadata)
    const isInvitation = accepted.ok || accepted.error !== linkNotValid
    return { done: accepted, event: isInvitation ? 'invitation-accepted' : 'password-reset' } as const
  }

  const reset = async ({ token, password, request, reply }: Reset) => {
    const address = addressGroup(request.clientAddress)
    const wait = await limiters.resetsPerAddress.attempt(address)
    if (wait !== undefined) return rejected(afterWait(tooManyResets, wait))
    const { done, event } = await setPassword(token, password, metadataOf({ request }))
    const from = { ...callerOf(request), event }
    if (!done.ok) {
      const { code } = done.error
      securityLog.record({ ...from, result: code === 'unavailable' ? 'failed' : 'refused', code })
      return done
    }
    const { emailIndex, userId } = done.value
    securityLog.record({ ...from, result: 'ok', mailbox: emailIndex, userId })
    await limiters.resetsPerAddress.refund(address)
    // A user who forgot the password has probably failed to log in before.
    await guard.clearFailures({ emailIndex, address })
    const newId = clockAndIds.newSecret()
    cookies.set(request, reply, knownDeviceCookie(vault, request, { emailIndex, newId, now: clockAndIds.now() }))
    return ok({ success: true as const, message: 'Password reset successfully! Redirecting to login...' })
  }

  bind(app, resetPassword, ({ params, body, request, reply }) => reset({ ...params, ...body, request, reply }))
  bind(app, resetPasswordByBody, ({ body, request, reply }) => reset({ ...body, request, reply }))
}
