import * as route from '@portal/contracts/auth/second-factor'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { deviceNameOf } from '@portal/platform/http/device-name'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { addressGroup } from '@portal/platform/limits/address-group'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { callerOf, type SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnswerLogin } from '../session/answer-login.ts'
import { knownDeviceOf } from '../session/known-device.ts'
import { clientSecretOf, openChallenge } from './challenge.ts'
import type { SecondStep, SecondStepInput } from './second-step.ts'

type SecondStepRoutesDeps = {
  readonly bind: BindRoute
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly secondStep: SecondStep
  readonly answerLogin: AnswerLogin
}

/** What follows a right password, for those who have two-step verification or need it. */
export const secondStepRoutes = (app: FastifyInstance, deps: SecondStepRoutesDeps): void => {
  const { bind, vault, clockAndIds, securityLog, secondStep, answerLogin } = deps

  const inputOf = (request: FastifyRequest, { challenge }: { readonly challenge: string }): SecondStepInput => ({
    challenge,
    clientSecret: clientSecretOf(request),
    address: addressGroup(request.clientAddress),
    deviceName: deviceNameOf(request.headers['user-agent']),
    isKnownDevice: (emailIndex) => knownDeviceOf(vault, request, emailIndex, clockAndIds.now()) !== undefined,
  })

  /** `code`: what was done. `target`: the user whom the challenge names, unless it is no valid one. */
  const record = (
    request: FastifyRequest,
    challenge: string,
    result: Result<unknown, ApiError>,
    code: string,
  ): void => {
    const isUnproved = !result.ok && result.error.code === 'unauthenticated'
    const target = isUnproved ? undefined : openChallenge(vault, challenge, clockAndIds.now())?.userId
    const outcome = result.ok
      ? ({ result: 'ok', code } as const)
      : { result: 'refused' as const, code: result.error.code }
    securityLog.record({ ...callerOf(request), event: 'second-step', target, ...outcome })
  }

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
