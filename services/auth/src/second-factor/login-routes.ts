import { copiedPasskey } from '@portal/contracts/auth/factor-proof'
import * as passkeyRoute from '@portal/contracts/auth/passkeys'
import * as route from '@portal/contracts/auth/second-factor'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { deviceNameOf } from '@portal/platform/http/device-name'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { addressGroup } from '@portal/platform/limits/address-group'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { callerOf, type SecurityLog } from '@portal/platform/security-log/security-log'
import type { Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnswerLogin } from '../session/answer-login.ts'
import { knownDeviceOf } from '../session/known-device.ts'
import { clientSecretOf, openChallenge } from './challenge.ts'
import type { SecondStepInput } from './open-second-step.ts'
import type { PasskeyStep } from './passkey-step.ts'
import { relyingPartyOf } from './relying-party.ts'
import type { SecondStep } from './second-step.ts'

type SecondStepRoutesDeps = {
  readonly bind: BindRoute
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly site: Pick<Site, 'publicOrigin'>
  readonly secondStep: SecondStep
  readonly passkeyStep: PasskeyStep
  readonly answerLogin: AnswerLogin
}

/** What each second step has in common. */
const createStepRequests = ({ vault, clockAndIds, securityLog, site }: SecondStepRoutesDeps) => ({
  inputOf: (request: FastifyRequest, { challenge }: { readonly challenge: string }): SecondStepInput => ({
    challenge,
    clientSecret: clientSecretOf(request),
    address: addressGroup(request.clientAddress),
    deviceName: deviceNameOf(request.headers['user-agent']),
    relyingParty: relyingPartyOf(site, request),
    isKnownDevice: (emailIndex) => knownDeviceOf(vault, request, emailIndex, clockAndIds.now()) !== undefined,
  }),

  /** `code`: what was done. `target`: the user whom the challenge names, unless it is no valid one. */
  record: (request: FastifyRequest, challenge: string, result: Result<unknown, ApiError>, code: string): void => {
    const isUnproved = !result.ok && result.error.code === 'unauthenticated'
    const target = isUnproved ? undefined : openChallenge(vault, challenge, clockAndIds.now())?.userId
    const outcome = result.ok
      ? ({ result: 'ok', code } as const)
      : { result: 'refused' as const, code: refusalCodeOf(result.error) }
    securityLog.record({ ...callerOf(request), event: 'second-step', target, ...outcome })
  },
})

/** Two copies of a passkey are a reason to look at the account. */
const refusalCodeOf = (error: ApiError): string => (error === copiedPasskey ? 'passkey-copied' : error.code)

/** What follows a right password, for those who have two-step verification or need it. */
export const secondStepRoutes = (app: FastifyInstance, deps: SecondStepRoutesDeps): void => {
  const { bind, secondStep, answerLogin } = deps
  const { inputOf, record } = createStepRequests(deps)

  bind(app, route.takeSecondStep, async (call) => {
    const { body, request } = call
    const taken = await secondStep.take({ ...inputOf(request, body), code: body.code }, metadataOf({ request }))
    record(request, body.challenge, taken, 'code')
    return taken.ok ? ok(await answerLogin(call, taken.value)) : taken
  })

  bind(app, route.beginRequiredTotp, async ({ body, request }) => {
    const offered = await secondStep.offer(inputOf(request, body), metadataOf({ request }))
    record(request, body.challenge, offered, 'totp-offered')
    return offered.ok ? ok({ success: true, ...offered.value }) : offered
  })

  bind(app, route.confirmRequiredTotp, async (call) => {
    const { body, request } = call
    const enrolled = await secondStep.enroll({ ...inputOf(request, body), code: body.code }, metadataOf({ request }))
    record(request, body.challenge, enrolled, 'totp-enrolled')
    if (!enrolled.ok) return enrolled
    const { recoveryCodes, ...loggedIn } = enrolled.value
    return ok({ ...(await answerLogin(call, loggedIn)), recoveryCodes: [...recoveryCodes] })
  })
}

/** The same with a passkey. */
export const passkeyStepRoutes = (app: FastifyInstance, deps: SecondStepRoutesDeps): void => {
  const { bind, passkeyStep, answerLogin } = deps
  const { inputOf, record } = createStepRequests(deps)

  bind(app, passkeyRoute.beginPasskeyStep, async ({ body, request }) => {
    const begun = await passkeyStep.begin(inputOf(request, body))
    return begun.ok ? ok({ success: true, options: begun.value }) : begun
  })

  bind(app, passkeyRoute.takePasskeyStep, async (call) => {
    const { body, request } = call
    const asked = { ...inputOf(request, body), credential: body.credential }
    const taken = await passkeyStep.take(asked, metadataOf({ request }))
    record(request, body.challenge, taken, 'passkey')
    return taken.ok ? ok(await answerLogin(call, taken.value)) : taken
  })

  bind(app, passkeyRoute.beginRequiredPasskey, async ({ body, request }) => {
    const begun = await passkeyStep.beginAdding(inputOf(request, body))
    record(request, body.challenge, begun, 'passkey-offered')
    return begun.ok ? ok({ success: true, options: begun.value }) : begun
  })

  bind(app, passkeyRoute.addRequiredPasskey, async (call) => {
    const { body, request } = call
    const asked = { ...inputOf(request, body), credential: body.credential }
    const added = await passkeyStep.add(asked, metadataOf({ request }))
    record(request, body.challenge, added, 'passkey-added')
    if (!added.ok) return added
    const { recoveryCodes, ...loggedIn } = added.value
    return ok({ ...(await answerLogin(call, loggedIn)), recoveryCodes: [...recoveryCodes] })
  })
}
