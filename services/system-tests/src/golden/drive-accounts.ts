import * as auth from '@portal/contracts/auth/http'
import { callRoute, logIn, send, type SignedIn } from '../testing/api-client.ts'
import { eventually, type PortalProcess } from '../testing/portal-process.ts'
import { readOutbox } from '../testing/read-outbox.ts'
import { golden } from './people.ts'

type Driven = { readonly portal: PortalProcess; readonly dataDir: string }

const { email } = golden.newcomer
const details = {
  fullName: 'Nadia Newcomer',
  personalEmail: email,
  mobileNumber: '9000000009',
  universityName: 'Eastbrook University',
  password: 'Golden-first-1',
}

/** Asks for codes from a portal that cannot send any. */
export const registerInVain = async ({ portal }: Driven): Promise<void> => {
  const { method, path } = auth.initiateRegistration
  const { status } = await send(portal.address, method, path, { body: details })
  if (status < 400) throw new Error('the codes were sent after all')
}

/** Registers with a wrong code first, then changes name and password, resets the password, and logs in and out. */
export const driveNewcomer = async ({ portal, dataDir }: Driven): Promise<SignedIn> => {
  const { address } = portal
  const { mobileNumber } = details
  await callRoute(address, auth.initiateRegistration, { body: details })
  const code = (await readOutbox(dataDir)).find(({ to }) => to === email)?.code
  if (code === undefined) throw new Error(`no code was sent to ${email}`)
  const wrong = code === '000000' ? '111111' : '000000'
  const { method, path } = auth.verifyRegistration
  await send(address, method, path, { body: { email, mobileNumber, otpEmail: wrong } })
  await callRoute(address, auth.verifyRegistration, { body: { email, mobileNumber, otpEmail: code } })

  const { token } = await logIn(address, email, details.password)
  await callRoute(address, auth.updateProfile, { token, body: { fullName: 'Nadia Renamed' } })
  const second = 'Golden-second-2'
  await callRoute(address, auth.changePassword, {
    token,
    body: { currentPassword: details.password, newPassword: second },
  })
  await callRoute(address, auth.forgotPassword, { body: { personalEmail: email } })
  const resetToken = await eventually('the reset link is sent', async () =>
    (await readOutbox(dataDir))
      .map(({ to, link }) => (to === email ? /token=([\w.-]+)/.exec(link ?? '')?.[1] : undefined))
      .find((found) => found !== undefined),
  )
  await callRoute(address, auth.resetPassword, {
    params: { token: resetToken },
    body: { password: golden.newcomer.password },
  })
  const leaving = await logIn(address, email, golden.newcomer.password)
  await callRoute(address, auth.logOut, { token: leaving.token })
  return logIn(address, email, golden.newcomer.password)
}
