import { changeRole, deactivatePerson, reactivatePerson, signOutPerson } from '@portal/contracts/auth/accounts'
import { createApiKey, listApiKeys, revokeApiKey } from '@portal/contracts/auth/api-keys'
import { getActivity } from '@portal/contracts/notifications/http'
import * as auth from '@portal/contracts/auth/http'
import { invite, resendInvitation, withdrawInvitation } from '@portal/contracts/auth/invitations'
import { callRoute, logIn, seededEmail, send, type SignedIn } from '../testing/api-client.ts'
import { admin, eventually, type PortalProcess, readDevMailbox } from '../testing/portal-process.ts'

/** Password of all learners that the maker seeds. */
export const seededPassword: string = 'Golden-2026'

export const golden = {
  admin,
  reader: { email: seededEmail(1), password: seededPassword },
  deviceOwner: { email: seededEmail(2), password: seededPassword },
  erased: { email: seededEmail(3), password: seededPassword },
  /** Registers by e-mail code, changes the name, and gets a new password twice. */
  newcomer: { email: 'learner-9@example.com', password: 'Golden-third-3' },
  /** Registers by a code to the number, proves the address, and becomes an admin. */
  promoted: { email: 'promoted@example.com', password: 'Golden-fifth-5' },
  /** Takes the address back from a stranger who registered it. */
  reclaimed: { email: 'reclaimed@example.com', password: 'Golden-unproved-4' },
} as const

export const seededCount = 3

export type Driven = { readonly portal: PortalProcess; readonly dataDir: string }

const newcomer = {
  fullName: 'Nadia Newcomer',
  personalEmail: golden.newcomer.email,
  mobileNumber: '9000000009',
  universityName: 'Eastbrook University',
  password: 'Golden-first-1',
}

/** Asks for codes from a portal that cannot send any. */
export const registerInVain = async ({ portal }: Driven): Promise<void> => {
  const { method, path } = auth.initiateRegistration
  const { status } = await send(portal.address, method, path, { body: newcomer })
  if (status < 400) throw new Error('the codes were sent after all')
}

/** Changes a password by a reset link, from the request for it to the new password. */
const resetPassword = async (
  { portal, dataDir }: Driven,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> => {
  await callRoute(portal.address, auth.forgotPassword, { body: { personalEmail: email } })
  const token = await eventually('the reset link is sent', async () =>
    (await readDevMailbox(dataDir))
      .map(({ to, link }) => (to === email ? /token=([\w.-]+)/.exec(link ?? '')?.[1] : undefined))
      .find((found) => found !== undefined),
  )
  await callRoute(portal.address, auth.resetPassword, { params: { token }, body: { password } })
}

/** Registers with a wrong code first, then changes name and password, resets the password, and logs in and out. */
export const driveNewcomer = async ({ portal, dataDir }: Driven): Promise<SignedIn> => {
  const { address } = portal
  const { personalEmail: email, mobileNumber } = newcomer
  await callRoute(address, auth.initiateRegistration, { body: newcomer })
  const code = (await readDevMailbox(dataDir)).find(({ to }) => to === email)?.code
  if (code === undefined) throw new Error(`no code was sent to ${email}`)
  const wrong = code === '000000' ? '111111' : '000000'
  const { method, path } = auth.verifyRegistration
  await send(address, method, path, { body: { email, mobileNumber, otpEmail: wrong } })
  await callRoute(address, auth.verifyRegistration, { body: { email, mobileNumber, otpEmail: code } })

  const { token } = await logIn(address, email, newcomer.password)
  await callRoute(address, auth.updateProfile, { token, body: { fullName: 'Nadia Renamed' } })
  const inHindi = { fullName: 'Nadia Renamed', notificationLanguage: 'hi' } as const
  await callRoute(address, auth.updateProfile, { token, body: inHindi })
  const newPassword = 'Golden-second-2'
  await callRoute(address, auth.changePassword, { token, body: { currentPassword: newcomer.password, newPassword } })
  await resetPassword({ portal, dataDir }, golden.newcomer)
  const leaving = await logIn(address, email, golden.newcomer.password)
  await callRoute(address, auth.logOut, { token: leaving.token })
  return logIn(address, email, golden.newcomer.password)
}

type Registrant = { readonly email: string; readonly mobileNumber: string; readonly fullName: string }

const password = 'Golden-unproved-4'
/** A second code for one address is sent after 30 seconds. */
const resendTimeoutMs = 60_000

const sentTo = async (dataDir: string, to: string) => (await readDevMailbox(dataDir)).find((line) => line.to === to)

export const register = async (driven: Driven, registrant: Registrant, by: 'email' | 'mobile'): Promise<void> => {
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
  const { email } = golden.promoted
  await register(driven, { email, mobileNumber: '9000000010', fullName: 'Petra Promoted' }, 'mobile')
  await resetPassword(driven, golden.promoted)
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

/** An admin makes another one and takes it back, signs the account out, deactivates the account and reactivates it. */
export const driveAccountChanges = async (address: string, { token }: SignedIn): Promise<void> => {
  const { userId: id } = await logIn(address, golden.reclaimed.email, golden.reclaimed.password)
  const call = { token, params: { id } }
  for (const role of ['admin', 'student'])
    await callRoute(address, changeRole, { ...call, body: { role, password: golden.admin.password } })
  await callRoute(address, signOutPerson, { ...call, body: { password: golden.admin.password } })
  await callRoute(address, deactivatePerson, { ...call, body: { reason: 'golden folder' } })
  await callRoute(address, reactivatePerson, call)
}

/** One invitation is sent again and accepted, one withdrawn, and one ends because the address registers itself. */
export const driveInvitations = async (driven: Driven, { token }: SignedIn): Promise<void> => {
  const { address } = driven.portal
  const inviteAs = async (name: string): Promise<string> => {
    const body = { fullName: 'Ines Invited', personalEmail: `${name}@example.com`, role: 'faculty' }
    return (await callRoute(address, invite, { token, body })).data._id
  }
  const again = await callRoute(address, resendInvitation, { token, params: { id: await inviteAs('invited') } })
  const [, linkToken = 'none'] = /token=([\w-]+)/.exec(again.data.link ?? '') ?? []
  await callRoute(address, auth.resetPassword, { params: { token: linkToken }, body: { password: 'Golden-sixth-6' } })
  await callRoute(address, withdrawInvitation, { token, params: { id: await inviteAs('withdrawn') } })
  await inviteAs('lapsed')
  const lapsed = { email: 'lapsed@example.com', mobileNumber: '9000000013', fullName: 'Lara Lapsed' }
  await register(driven, lapsed, 'email')
}

/** An admin creates an API key, a program reads with it, and the admin revokes it. */
export const driveApiKey = async (address: string, { token }: SignedIn): Promise<void> => {
  const { apiKey, key } = await callRoute(address, createApiKey, {
    token,
    body: { label: 'golden folder', rights: ['read-results'], password: golden.admin.password },
  })
  await callRoute(address, getActivity, { token: key })
  await eventually('the use of the API key is recorded', async () => {
    const { apiKeys } = await callRoute(address, listApiKeys, { token })
    return apiKeys.some(({ lastUsedOn }) => lastUsedOn !== undefined)
  })
  await callRoute(address, revokeApiKey, { token, params: { id: apiKey.id } })
}
