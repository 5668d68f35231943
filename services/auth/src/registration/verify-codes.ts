import { wrongCode } from '@portal/contracts/auth/errors'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import { apiErrorOf } from './api-errors.ts'
import { browserHashOf } from './browser-secret.ts'
import type { Completion } from './completion.ts'
import { registrationDecider } from './decider.ts'
import type { Channel, PerChannel } from './events.ts'
import type { Caller, HandleRegistration, LoadRegistration } from './handle-registration.ts'
import { codeHashOf } from './issue-codes.ts'
import type { NotifyOwner, Recipient } from './send-codes.ts'

type VerifyCodesDeps = {
  readonly load: LoadRegistration
  readonly vault: PersonalDataVault
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly completion: Completion
  readonly confirmNumber: ConfirmNumber
  readonly notifyOwner: NotifyOwner
  readonly handle: HandleRegistration
}

type Verified = {
  readonly userId: UserId
  /** The former owner of the address, if this registration took it back. */
  readonly reclaimedFrom: UserId | undefined
  readonly isRepetition: boolean
}

/** Completes a registration with the entered codes. */
export const createVerifyCodes = (deps: VerifyCodesDeps) => {
  const { load, vault, clockAndIds, completion, confirmNumber, notifyOwner, handle } = deps
  return async (
    { email, mobileNumber }: Recipient,
    entered: PerChannel<string>,
    { browserSecret, metadata }: Caller,
  ): Promise<Result<Verified, ApiError>> => {
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
      now: clockAndIds.now(),
    } as const

    /** Claims the number before the registration completes, because the number has its own stream. */
    const isNumberTaken = async (): Promise<boolean> => {
      if (entered.mobile === undefined) return false
      const { state } = await load(emailIndex)
      const expected = registrationDecider.decide(command, state)
      const completed = expected.ok && expected.value.find((event) => event.type === 'RegistrationCompleted')
      return completed ? !(await confirmNumber(mobileIndex, completed.data, metadata)) : false
    }

    const handled = await handle(emailIndex, { ...command, isNumberTaken: await isNumberTaken() }, metadata)
    if (!handled.ok) return rejected(apiErrorOf(handled.error))
    const { state, events } = handled.value
    const isWrong = events.some(({ type }) => type === 'WrongCodesEntered')
    if (isWrong || state.status !== 'completed') return rejected(wrongCode)
    await completion.complete(state, metadata)
    const isRepetition = events.length === 0
    if (!isRepetition && !state.isEmailProved) await notifyOwner(email, state.details.userId)
    const released = events.find((event) => event.type === 'EmailReleased')
    return ok({ userId: state.details.userId, reclaimedFrom: released?.data.userId, isRepetition })
  }
}
