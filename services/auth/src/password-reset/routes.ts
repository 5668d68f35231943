import { forgotPassword, resetPassword } from '@portal/contracts/auth/http'
import { ok, rejected } from '@portal/platform/decider/result'
import { metadataOf } from '@portal/platform/http/call-metadata'
import type { BindRoute } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { FastifyInstance } from 'fastify'
import { addressGroup } from '@portal/platform/http/address-group'
import { attemptAll, takeBackAll } from '@portal/platform/limits/attempt-all'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { LogInGuard } from '../session/log-in-guard.ts'
import { sendFailed, tooManyLinks } from './refusals.ts'
import type { ForgottenPasswords } from './forgotten-passwords.ts'
import type { LinkSender } from './send-link.ts'

type Deps = {
  readonly bind: BindRoute
  readonly forgottenPasswords: ForgottenPasswords
  readonly links: Pick<LinkSender, 'hasRoom'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly guard: Pick<LogInGuard, 'lift'>
  readonly limiters: LinkLimiters
}

export type LinkLimiters = {
  readonly perEmailAndAddress: AttemptLimiter
  readonly perEmail: AttemptLimiter
  readonly perAddress: AttemptLimiter
}

export const passwordResetRoutes = (app: FastifyInstance, deps: Deps): void => {
  const { bind, forgottenPasswords, links, vault, guard, limiters } = deps

  bind(app, forgotPassword, async ({ body, request }) => {
    const { personalEmail } = body
    const emailIndex = vault.index('email', personalEmail)
    const address = addressGroup(request.ip)
    const { perEmailAndAddress, perEmail, perAddress } = limiters
    const counted = [
      { limiter: perEmailAndAddress, key: `${emailIndex} ${address}` },
      { limiter: perAddress, key: address },
    ]
    const wait = await attemptAll(counted)
    if (wait !== undefined) return rejected(tooManyLinks(wait))
    // The same for everybody, so it says nothing about this address.
    if (!links.hasRoom()) {
      await takeBackAll(counted)
      return rejected(sendFailed)
    }
    // A mailbox that has been sent so many has some that work: strangers cannot have its owner refused.
    if ((await perEmail.attempt(emailIndex)) === undefined) {
      await forgottenPasswords.request(personalEmail, metadataOf({ request }))
    }
    return ok({ success: true, message: 'Password reset link sent to your email!' })
  })

  bind(app, resetPassword, async ({ params, body, request }) => {
    const reset = await forgottenPasswords.reset(params.token, body.password, metadataOf({ request }))
    if (!reset.ok) return reset
    // Who had forgotten it has most likely guessed at it before.
    await guard.lift({ emailIndex: reset.value.emailIndex, address: addressGroup(request.ip) })
    return ok({ success: true, message: 'Password reset successfully! Redirecting to login...' })
  })
}
