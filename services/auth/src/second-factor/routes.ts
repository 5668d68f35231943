import { copiedPasskey, type OwnFactors, secondFactorNeeded } from '@portal/contracts/auth/factor-proof'
import * as passkeyRoute from '@portal/contracts/auth/passkeys'
import * as route from '@portal/contracts/auth/second-factor'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import { deviceNameOf } from '@portal/platform/http/device-name'
import { addressGroup } from '@portal/platform/limits/address-group'
import { callerOf, type SecurityLog } from '@portal/platform/security-log/security-log'
import type { Session } from '@portal/platform/session/session'
import type { Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ConfirmOwnFactors } from './confirm-own-factors.ts'
import type { OfferTotp } from './offer-totp.ts'
import { passkeysOf, totpOf } from './factors.ts'
import { type Ceremony, type Passkeys, presentPasskey } from './passkeys.ts'
import { apiErrorOf } from './rejections.ts'
import { relyingPartyOf } from './relying-party.ts'
import type { SecondFactors } from './second-factors.ts'
import { type AdminMfa, isRequiredFor } from './second-step.ts'

type SecondFactorRoutesDeps = {
  readonly bind: BindRoute
  readonly secondFactors: SecondFactors
  readonly offerTotp: OfferTotp
  readonly passkeys: Passkeys
  readonly confirmOwnFactors: ConfirmOwnFactors
  readonly adminMfa: AdminMfa
  readonly site: Pick<Site, 'publicOrigin'>
  readonly securityLog: SecurityLog
}

/** Binds a route whose calls are in the security log, with a constant. */
const changeRecorder =
  ({ bind, securityLog }: SecondFactorRoutesDeps) =>
  (mark: string): BindRoute =>
    recordCalls(bind, securityLog, { event: 'second-factor-changed', methods: writes, markOf: () => mark })

type Asking = { readonly session: Session; readonly request: FastifyRequest }

const ceremonyOf = ({ site }: Pick<SecondFactorRoutesDeps, 'site'>, { session, request }: Asking): Ceremony => ({
  relyingParty: relyingPartyOf(site, request),
  boundTo: session.sessionId,
})

/** What each change has in common. */
const confirmCall =
  (deps: SecondFactorRoutesDeps) =>
  async (call: Asking & { readonly body: OwnFactors }): Promise<Result<{ readonly wasOn: boolean }, ApiError>> => {
    const { session, request, body: factors } = call
    const { userId } = session
    const address = addressGroup(request.clientAddress)
    const confirming = { userId, factors, address, ceremony: ceremonyOf(deps, call) }
    const confirmed = await deps.confirmOwnFactors(confirming, metadataOf(call))
    if (!confirmed.ok && confirmed.error === copiedPasskey)
      deps.securityLog.record({ ...callerOf(request), event: 'second-step', result: 'refused', code: 'passkey-copied' })
    return confirmed
  }

/** It was turned on after the call had been confirmed with the password only. */
const orNeeded = (error: ApiError): ApiError => (error === route.secondFactorIsOn ? secondFactorNeeded : error)

/** Two-step verification of the signed-in user. */
export const secondFactorRoutes = (app: FastifyInstance, deps: SecondFactorRoutesDeps): void => {
  const { bind, secondFactors, offerTotp, adminMfa, site } = deps
  const recordedAs = changeRecorder(deps)
  const confirm = confirmCall(deps)

  bind(app, route.getSecondFactor, async ({ session: { userId, role }, request }) => {
    const state = await secondFactors.of(userId)
    const secondFactor = {
      totp: totpOf(state) !== undefined,
      passkeys: passkeysOf(state).map(presentPasskey),
      canAddPasskeys: relyingPartyOf(site, request) !== undefined,
      recoveryCodesLeft: state.codeHashes.length,
      isRequired: isRequiredFor(role, adminMfa),
    }
    return ok({ success: true, secondFactor })
  })

  recordedAs('totp-offered')(app, route.beginTotp, async (call) => {
    const confirmed = await confirm(call)
    if (!confirmed.ok) return confirmed
    const enrollment = { userId: call.session.userId, isFirst: !confirmed.value.wasOn }
    const offered = await offerTotp(enrollment, metadataOf(call))
    return offered.ok ? ok({ success: true, ...offered.value }) : rejected(orNeeded(offered.error))
  })

  recordedAs('totp-enrolled')(app, route.confirmTotp, async (call) => {
    const enrollment = { userId: call.session.userId, isFirst: false }
    const enrolled = await secondFactors.enroll(enrollment, call.body.code, metadataOf(call))
    if (!enrolled.ok) return rejected(apiErrorOf(enrolled.error))
    return ok({ success: true, message: 'Two-step verification is on', recoveryCodes: [...enrolled.value] })
  })

  recordedAs('recovery-codes-issued')(app, route.issueRecoveryCodes, async (call) => {
    const confirmed = await confirm(call)
    if (!confirmed.ok) return confirmed
    if (!confirmed.value.wasOn) return rejected(route.secondFactorIsOff)
    const issued = await secondFactors.issueRecoveryCodes(call.session.userId, metadataOf(call))
    if (!issued.ok) return rejected(apiErrorOf(issued.error))
    return ok({ success: true, message: 'New recovery codes made', recoveryCodes: [...issued.value] })
  })

  recordedAs('removed')(app, route.removeSecondFactor, async (call) => {
    const { userId, role } = call.session
    if (isRequiredFor(role, adminMfa)) return rejected(route.secondFactorIsRequired)
    const confirmed = await confirm(call)
    if (!confirmed.ok) return confirmed
    if (confirmed.value.wasOn) await secondFactors.remove(userId, userId, metadataOf(call))
    return ok({ success: true, message: 'Two-step verification is off' })
  })
}

/** The line of the route that turns it off, also if the last passkey does. */
const turnedOff = { event: 'second-factor-changed', result: 'ok', code: 'removed' } as const

/** Passkeys of the signed-in user. */
export const passkeyRoutes = (app: FastifyInstance, deps: SecondFactorRoutesDeps): void => {
  const { bind, passkeys, adminMfa, securityLog } = deps
  const recordedAs = changeRecorder(deps)
  const confirm = confirmCall(deps)

  bind(app, passkeyRoute.beginPasskeyProof, async (call) => {
    const begun = await passkeys.beginUse(call.session.userId, ceremonyOf(deps, call))
    return begun.ok ? ok({ success: true, options: begun.value }) : rejected(apiErrorOf(begun.error))
  })

  recordedAs('passkey-offered')(app, passkeyRoute.beginPasskey, async (call) => {
    const confirmed = await confirm(call)
    if (!confirmed.ok) return confirmed
    const enrollment = { userId: call.session.userId, isFirst: !confirmed.value.wasOn }
    const begun = await passkeys.beginAdding(enrollment, ceremonyOf(deps, call))
    return begun.ok ? ok({ success: true, options: begun.value }) : rejected(orNeeded(apiErrorOf(begun.error)))
  })

  recordedAs('passkey-added')(app, passkeyRoute.addPasskey, async (call) => {
    const { session, body, request } = call
    const made = { credential: body.credential, label: deviceNameOf(request.headers['user-agent']) }
    const enrollment = { userId: session.userId, isFirst: false }
    const added = await passkeys.add(enrollment, ceremonyOf(deps, call), made, metadataOf(call))
    if (!added.ok) return rejected(added.error === 'already-on' ? route.setUpExpired : apiErrorOf(added.error))
    const { passkey, recoveryCodes } = added.value
    return ok({ success: true, message: 'Passkey added', passkey, recoveryCodes: [...recoveryCodes] })
  })

  recordedAs('passkey-removed')(app, passkeyRoute.removePasskey, async (call) => {
    const { userId, role } = call.session
    const confirmed = await confirm(call)
    if (!confirmed.ok) return confirmed
    if (!confirmed.value.wasOn) return rejected(passkeyRoute.passkeyNotFound)
    const removal = { passkeyId: call.params.id, isRequired: isRequiredFor(role, adminMfa) }
    const removed = await passkeys.remove(userId, removal, metadataOf(call))
    if (!removed.ok) return rejected(apiErrorOf(removed.error))
    const turnsOff = removed.value.some(({ type }) => type === 'SecondFactorRemoved')
    if (turnsOff) securityLog.record({ ...callerOf(call.request), ...turnedOff })
    return ok({ success: true, message: 'Passkey removed' })
  })
}
