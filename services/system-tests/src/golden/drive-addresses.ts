import * as auth from '@portal/contracts/auth/http'
import { callRoute, send } from '../testing/api-client.ts'
import { eventually, type PortalProcess } from '../testing/portal-process.ts'
import { readOutbox } from '../testing/read-outbox.ts'
import { golden } from './people.ts'

type Driven = { readonly portal: PortalProcess; readonly dataDir: string }
type Registrant = { readonly email: string; readonly mobileNumber: string; readonly fullName: string }

const password = 'Golden-unproved-4'
/** A second code for one address is sent after 30 seconds. */
const resendTimeoutMs = 60_000

const sentTo = async (dataDir: string, to: string) => (await readOutbox(dataDir)).find((line) => line.to === to)

const register = async (driven: Driven, registrant: Registrant, by: 'email' | 'mobile'): Promise<void> => {
  const { portal, dataDir } = driven
  const { email, mobileNumber, fullName } = registrant
  const { method, path } = auth.initiateRegistration
  const body = { fullName, personalEmail: email, mobileNumber, universityName: 'Eastbrook University', password }
  await eventually(
    `codes are sent to ${email}`,
    async () => (await send(portal.address, method, path, { body })).status === 200,
    resendTimeoutMs,
  )
  const code = (await sentTo(dataDir, by === 'email' ? email : mobileNumber))?.code
  const codes = by === 'email' ? { otpEmail: code } : { otpMobile: code }
  await callRoute(portal.address, auth.verifyRegistration, { body: { email, mobileNumber, ...codes } })
}

/** Confirms the number alone, and proves the address later by a reset link. */
const proveAddress = async (driven: Driven): Promise<void> => {
  const { portal, dataDir } = driven
  const { email } = golden.promoted
  await register(driven, { email, mobileNumber: '9000000010', fullName: 'Petra Promoted' }, 'mobile')
  await callRoute(portal.address, auth.forgotPassword, { body: { personalEmail: email } })
  const token = await eventually(
    'the reset link is sent',
    async () => /token=([\w.-]+)/.exec((await sentTo(dataDir, email))?.link ?? '')?.[1],
  )
  await callRoute(portal.address, auth.resetPassword, {
    params: { token },
    body: { password: golden.promoted.password },
  })
}

/** A stranger registers an address with a number of their own; the owner of the address takes it back. */
const takeAddressBack = async (driven: Driven): Promise<void> => {
  const { email } = golden.reclaimed
  await register(driven, { email, mobileNumber: '9000000011', fullName: 'Stella Stranger' }, 'mobile')
  await register(driven, { email, mobileNumber: '9000000012', fullName: 'Olga Owner' }, 'email')
}

/** Accounts whose address is not proved at first. */
export const driveAddresses = async (driven: Driven): Promise<void> => {
  await proveAddress(driven)
  await takeAddressBack(driven)
}
