import * as route from '@portal/contracts/auth/second-factor'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { ConfirmOwnPassword } from '../account/confirm-own-password.ts'
import type { OfferTotp } from './offer-totp.ts'
import { apiErrorOf } from './rejections.ts'
import type { SecondFactors } from './second-factors.ts'
import { type AdminMfa, isRequiredFor } from './second-step.ts'

type SecondFactorRoutesDeps = {
  readonly bind: BindRoute
  readonly secondFactors: SecondFactors
  readonly offerTotp: OfferTotp
  readonly confirmOwnPassword: ConfirmOwnPassword
  readonly adminMfa: AdminMfa
  readonly securityLog: SecurityLog
}

/** Two-step verification of the signed-in user. */
export const secondFactorRoutes = (app: FastifyInstance, deps: SecondFactorRoutesDeps): void => {
  const { bind, secondFactors, offerTotp, confirmOwnPassword, adminMfa, securityLog } = deps
  const recordedAs = (mark: string): BindRoute =>
    recordCalls(bind, securityLog, { event: 'second-factor-changed', methods: writes, markOf: () => mark })

  bind(app, route.getSecondFactor, async ({ session: { userId, role } }) => {
    const { isOn, recoveryCodesLeft } = await secondFactors.of(userId)
    const secondFactor = { totp: isOn, recoveryCodesLeft, isRequired: isRequiredFor(role, adminMfa) }
    return ok({ success: true, secondFactor })
  })

  recordedAs('totp-offered')(app, route.beginTotp, async (call) => {
    const confirmed = await confirmOwnPassword(call.session.userId, call.body.password)
    if (!confirmed.ok) return confirmed
    const offered = await offerTotp({ userId: call.session.userId, isFirst: false }, metadataOf(call))
    return offered.ok ? ok({ success: true, ...offered.value }) : offered
  })

  recordedAs('totp-enrolled')(app, route.confirmTotp, async (call) => {
    const enrollment = { userId: call.session.userId, isFirst: false }
    const enrolled = await secondFactors.enroll(enrollment, call.body.code, metadataOf(call))
    if (!enrolled.ok) return rejected(apiErrorOf(enrolled.error))
    return ok({ success: true, message: 'Two-step verification is on', recoveryCodes: [...enrolled.value] })
  })

  recordedAs('recovery-codes-issued')(app, route.issueRecoveryCodes, async (call) => {
    const confirmed = await confirmOwnPassword(call.session.userId, call.body.password)
    if (!confirmed.ok) return confirmed
    const issued = await secondFactors.issueRecoveryCodes(call.session.userId, metadataOf(call))
    if (!issued.ok) return rejected(apiErrorOf(issued.error))
    return ok({ success: true, message: 'New recovery codes made', recoveryCodes: [...issued.value] })
  })

  recordedAs('removed')(app, route.removeSecondFactor, async (call) => {
    const { userId, role } = call.session
    if (isRequiredFor(role, adminMfa)) return rejected(route.secondFactorIsRequired)
    const confirmed = await confirmOwnPassword(userId, call.body.password)
    if (!confirmed.ok) return confirmed
    await secondFactors.remove(userId, metadataOf(call))
    return ok({ success: true, message: 'Two-step verification is off' })
  })
}
