import { createAuthenticator } from '@portal/auth/testing/authenticator'
import { changeRole, correctPerson, deactivatePerson, reactivatePerson } from '@portal/contracts/auth/accounts'
import { createApiKey } from '@portal/contracts/auth/api-keys'
import * as auth from '@portal/contracts/auth/http'
import { invite } from '@portal/contracts/auth/invitations'
import { addPasskey, beginPasskey, beginPasskeyProof } from '@portal/contracts/auth/passkeys'
import { issueRecoveryCodes } from '@portal/contracts/auth/second-factor'
import { enrollInProgram, listMyPrograms } from '@portal/contracts/catalog/http'
import { confirmPayments, enrollLearners, revertPayments } from '@portal/contracts/catalog/learners'
import { testDevice, listDevices } from '@portal/contracts/notifications/devices'
import { savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import { callRoute, logIn, send, type SignedIn } from './api-client.ts'
import { admin, eventually, readDevMailbox } from './portal-process.ts'

type Portal = { readonly address: string; readonly dataDir: string }

/** Someone whose data occurs nowhere else. */
export type Person = {
  readonly fullName: string
  readonly formerName: string
  readonly email: string
  readonly mobileNumber: string
  readonly formerNumber: string
  readonly password: string
  readonly pushToken: string
  readonly apiKeyLabel: string
  readonly deactivationReason: string
  readonly paymentReference: string
  readonly reversalReason: string
}

export const zephyrine: Person = {
  fullName: 'Zephyrine Quillfeather',
  formerName: 'Zephyrine Bramblewick',
  email: 'z.quillfeather@post.example.com',
  mobileNumber: '9731846205',
  formerNumber: '9731846299',
  password: 'Marigold-Lantern-41',
  pushToken: 'device-of-zephyrine-7f3a91c2',
  apiKeyLabel: 'Labels of Zephyrine',
  deactivationReason: 'Moved to Tarrowmere',
  paymentReference: 'UTR-Quillfeather-88213',
  reversalReason: 'Cheque of Quillfeather bounced',
}

export const oberon: Person = {
  fullName: 'Oberon Thistlewood',
  formerName: 'Oberon Fennimore',
  email: 'o.thistlewood@post.example.com',
  mobileNumber: '9644218837',
  formerNumber: '9644218899',
  password: 'Heliotrope-Anvil-52',
  pushToken: 'device-of-oberon-b81e44d0',
  apiKeyLabel: 'Gradebook of Oberon',
  deactivationReason: 'Sabbatical in Wexcombe',
  paymentReference: 'UTR-Thistlewood-40197',
  reversalReason: 'Paid by the aunt in Wexcombe',
}

/** Everything that must be found nowhere after the erasure. Names also by their parts. */
export const textsOf = (person: Person, studentCode: string): readonly string[] => [
  ...Object.values(person),
  ...person.fullName.split(' '),
  ...person.formerName.split(' ').slice(1),
  person.email.split('@')[0] ?? '',
  studentCode,
]

const linesTo = async ({ dataDir }: Portal, ...to: readonly string[]) =>
  (await readDevMailbox(dataDir)).filter((line) => to.includes(line.to))

/** Registers as people do, with the code from the mailbox. */
const register = async (portal: Portal, person: Person): Promise<SignedIn> => {
  const { formerName: fullName, email, formerNumber: mobileNumber, password } = person
  const details = { fullName, personalEmail: email, mobileNumber, password, universityName: 'Eastbrook University' }
  await callRoute(portal.address, auth.initiateRegistration, { body: details })
  const [mail] = await linesTo(portal, email)
  await callRoute(portal.address, auth.verifyRegistration, { body: { email, mobileNumber, otpEmail: mail?.code } })
  return logIn(portal.address, email, password)
}

/** The portal mails in the background. */
const untilMailed = (portal: Portal, person: Person, mails: number) =>
  eventually(`${mails} mails to ${person.email}`, async () => (await linesTo(portal, person.email)).length >= mails)

/** Invites them, mails that, and enrolls them when they register, after which neither address nor mail are kept. */
const registerInvited = async (portal: Portal, person: Person, asAdmin: { readonly token: string }, id: string) => {
  const { address } = portal
  await callRoute(address, enrollLearners, { ...asAdmin, params: { id }, body: { contacts: [person.email] } })
  await untilMailed(portal, person, 1)
  const first = await register(portal, person)
  await eventually('the enrollment', async () => {
    const { programs } = await callRoute(address, listMyPrograms, { token: first.token })
    return programs.some(({ programId }) => programId === id)
  })
  const isForgotten = async () =>
    (await linesTo(portal, person.email)).every(({ subject }) => !subject?.startsWith('Invitation'))
  await eventually('the mail is forgotten', isForgotten)
  return first
}

/** Leaves traces of a person in every part of the portal. Returns their session and the student code. */
export const leaveTraces = async (
  portal: Portal,
  person: Person,
  { root, programId }: { readonly root: SignedIn; readonly programId: string },
) => {
  const { address } = portal
  const asRoot = { token: root.token }
  const first = await registerInvited(portal, person, asRoot, programId)
  const params = { id: first.userId }
  await send(address, 'POST', '/auth/login', { body: { personalEmail: person.email, password: `${person.password}x` } })
  await callRoute(address, auth.updateProfile, { token: first.token, body: { fullName: person.fullName } })
  await callRoute(address, correctPerson, { ...asRoot, params, body: { mobileNumber: person.mobileNumber } })
  await callRoute(address, deactivatePerson, { ...asRoot, params, body: { reason: person.deactivationReason } })
  await callRoute(address, reactivatePerson, { ...asRoot, params })
  const { token } = await logIn(address, person.email, person.password)
  await callRoute(address, auth.forgotPassword, { body: { personalEmail: person.email } })
  await callRoute(address, enrollInProgram, { token, params: { id: programId } })
  const asked = { ...asRoot, params: { id: programId } }
  const payment = { amount: 1_500_000, paidOn: '2026-11-20', reference: person.paymentReference }
  await callRoute(address, confirmPayments, { ...asked, body: { contacts: [person.email], ...payment } })
  const reversal = { userIds: [first.userId], reason: person.reversalReason }
  await callRoute(address, revertPayments, { ...asked, body: reversal })
  await callRoute(address, savePushToken, { token, body: { token: person.pushToken } })
  const [device] = (await callRoute(address, listDevices, { token })).devices
  await callRoute(address, testDevice, { token, params: { id: device?.id ?? '' } })
  const body = {
    userIds: [first.userId],
    title: 'Room 12',
    message: 'Come, {{name}} {{code}}.',
    type: 'General',
    isUrgent: true,
  }
  await callRoute(address, sendNotification, { ...asRoot, body })
  await send(address, 'GET', '/user/export', { token })
  await eventually('both pushes', async () => (await linesTo(portal, person.pushToken)).length >= 2)
  // The code, a new device, the link to a new password.
  await untilMailed(portal, person, 3)
  const { user } = await callRoute(address, auth.getProfile, { token })
  return { userId: first.userId, token, studentCode: user.studentCode }
}

/** Makes them an admin who has an API key and has invited someone, whose mail names them. Returns the new session. */
export const leaveTracesAsAdmin = async (portal: Portal, person: Person, userId: string, root: SignedIn) => {
  const { address } = portal
  const body = { role: 'admin', password: admin.password }
  await callRoute(address, changeRole, { token: root.token, params: { id: userId }, body })
  const { token } = await logIn(address, person.email, person.password)
  const rights = ['send']
  await callRoute(address, createApiKey, {
    token,
    body: { label: person.apiKeyLabel, rights, password: person.password },
  })
  const guest = { fullName: 'Ida Marlowe', personalEmail: 'ida.marlowe@example.com', role: 'faculty' }
  await callRoute(address, invite, { token, body: guest })
  await eventually('the invitation', async () => (await linesTo(portal, guest.personalEmail)).length === 1)
  // The new role.
  await untilMailed(portal, person, 4)
  return { token }
}

/** Adds a passkey and confirms a change with it, after which logins need it. Returns what must be found nowhere at any time. */
export const leaveTracesOfPasskey = async (
  portal: Portal,
  person: Person,
  token: string,
): Promise<readonly string[]> => {
  // Browsers make no passkeys for IP addresses.
  const address = portal.address.replace('127.0.0.1', 'localhost')
  const authenticator = createAuthenticator({ origin: address })
  const { password } = person
  const begun = await callRoute(address, beginPasskey, { token, body: { password } })
  const credential = authenticator.create(begun.options)
  const added = await callRoute(address, addPasskey, { token, body: { credential } })
  const { options } = await callRoute(address, beginPasskeyProof, { token })
  const confirmed = { password, assertion: authenticator.sign(options) }
  const renewed = await callRoute(address, issueRecoveryCodes, { token, body: confirmed })
  const subjects = ['A passkey was added to your account', 'New recovery codes for your account']
  await eventually(`the mails about it to ${person.email}`, async () => {
    const mails = await linesTo(portal, person.email)
    return subjects.every((subject) => mails.some((mail) => mail.subject === subject))
  })
  return [authenticator.id, authenticator.publicKey, ...added.recoveryCodes, ...renewed.recoveryCodes]
}
