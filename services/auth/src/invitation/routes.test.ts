import { randomUUID } from 'node:crypto'
import { listUsers, resetPassword, resetPasswordByBody } from '@portal/contracts/auth/http'
import { invite, listInvitations, resendInvitation, withdrawInvitation } from '@portal/contracts/auth/invitations'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applicant, type Harness, lowCost, startHarness } from '@portal/auth/testing/harness'
import { addAdminUnlimited } from '../admin-roster/admin-roster.ts'
import { createPasswordHashing } from '../passwords/password-hashing.ts'
import { loginRef } from '../user/projection.ts'
import { emailIndexOf, resetTokenHash } from '../password-reset/reset-token.ts'
import { invitationDecider } from './decider.ts'

const hourSeconds = 3_600
const rootPassword = 'Banyan-2026'
const newPassword = 'Haystack-2026'
const omar = { fullName: 'Omar Farooqi', personalEmail: 'omar.farooqi@example.com', role: 'faculty' } as const

let portal: Harness
let token: string
const start = async (options: Parameters<typeof startHarness>[0] = {}) => {
  portal = await startHarness(options)
  await portal.parts.auth.ensureFirstAdmin({ email: 'root@example.com', password: rootPassword })
  await logInAsRoot()
}
/** A request waits for that, a start and the auth reactor do not. */
const untilLoginOf = (personalEmail: string) =>
  until(async () => {
    const { readModel, vault } = portal.parts
    expect(await readModel.get(loginRef(vault.index('email', personalEmail)))).toBeDefined()
  })
const logInAsRoot = async () => {
  await untilLoginOf('root@example.com')
  token = (await portal.logIn({ personalEmail: 'root@example.com', password: rootPassword })).token
}
beforeEach(() => start())
afterEach(() => portal.stop())

const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? ''
const mailsTo = (address: string) => portal.world.mails.filter(({ to, link }) => to === address && link !== undefined)
/** The token in the mail that this call sends. */
const mailed = async (send: () => Promise<unknown>, address: string = omar.personalEmail): Promise<string> => {
  const before = mailsTo(address).length
  await send()
  await until(() => expect(mailsTo(address)).toHaveLength(before + 1))
  return tokenOf(mailsTo(address).at(-1)?.link)
}
const send = async (body: object = omar) => (await portal.call(invite, { token, body })).data
const invited = (body: { readonly fullName: string; readonly personalEmail: string; readonly role: string } = omar) =>
  mailed(() => send(body), body.personalEmail)
const listed = async () => (await portal.call(listInvitations, { token })).invitations
const params = async () => ({ id: (await listed())[0]?._id ?? 'none' })
const setPassword = (linkToken: string, password = newPassword) =>
  portal.inject(resetPassword, { params: { token: linkToken }, body: { password } })
const refusedPassword = (linkToken: string, password = newPassword) =>
  portal.refuse(resetPassword, { params: { token: linkToken }, body: { password } })
const logInAs = (personalEmail: string, password = newPassword) => portal.logIn({ personalEmail, password })
const types = async () => (await portal.recorded()).map(({ type }) => type)
const securityEvents = () => portal.world.securityLog.text()

const notValid = { status: 400, message: 'This link has expired or was already used. Please request a new one.' }
const exists = { status: 409, message: 'An account with this email already exists. Please log in.' }

describe('inviting', () => {
  test('mails the name of the admin, the role, the link and until when, and lists it', async () => {
    const data = await send({ ...omar, fullName: ' Omar Farooqi ', personalEmail: ' Omar.Farooqi@Example.com' })
    expect(data).toEqual({
      _id: expect.any(String),
      ...omar,
      state: 'pending',
      invitedBy: 'Admin',
      sentAt: '2026-03-02T09:00:00.000Z',
      expiresAt: '2026-03-05T09:00:00.000Z',
    })
    expect(await listed()).toEqual([data])
    await until(() => expect(mailsTo(omar.personalEmail)).toHaveLength(1))
    const [mail] = mailsTo(omar.personalEmail)
    expect(mail?.link).toMatch(
      /^https:\/\/portal\.example\/reset-password\?token=[\w-]{86}#email=omar[^&]*&for=invitation$/,
    )
    expect(mail?.text).toBe(
      [
        'Dear Omar Farooqi,',
        'Admin invites you to the learning portal of the center as a member of the faculty: https://portal.example',
        'Open this link to choose your password. Then log in with this email address:',
        mail?.link,
        'The link works once, within 72 hours: until 5 March 2026 at 09:00 UTC. If you do not expect it, ignore this message.',
      ].join('\n\n'),
    )
    expect(securityEvents()).toContain(`"event":"invitation-sent","result":"ok","target":"${data._id}"`)
  })

  test('answers the link of a portal without a mail server, and no other', async () => {
    expect(await send()).not.toHaveProperty('link')
    await portal.restart({ hasMailServer: false })
    await logInAsRoot()
    const other = { ...omar, personalEmail: 'lena@example.com' }
    const { link, _id } = await send(other)
    expect(link).toMatch(/^https:\/\/portal\.example\/reset-password\?token=/)
    expect(JSON.stringify(await listed())).not.toContain('token')
    const again = (await portal.call(resendInvitation, { token, params: { id: _id } })).data.link
    expect((await setPassword(tokenOf(link))).statusCode).toBe(400)
    expect((await setPassword(tokenOf(again))).statusCode).toBe(200)
    expect((await logInAs(other.personalEmail)).user.role).toBe('faculty')
  })

  test('is refused for an address with an account or a valid invitation', async () => {
    await portal.register()
    const refused = (personalEmail: string) =>
      portal.refuse(invite, { token, body: { ...omar, fullName: 'Another', personalEmail } })
    expect(await refused(applicant.personalEmail.toUpperCase())).toMatchObject({
      status: 409,
      message: 'An account with this email already exists.',
    })
    await send()
    expect(await refused(omar.personalEmail)).toMatchObject({
      status: 409,
      message: 'This address is already invited. You can send the invitation again.',
    })
    const answers = await Promise.all(
      [1, 2].map(() => portal.inject(invite, { token, body: { ...omar, personalEmail: 'twice@example.com' } })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(await listed()).toHaveLength(2)
  })

  test('names each field that is wrong, and is for admins', async () => {
    const body = { fullName: ' ', personalEmail: 'omar', role: 'student' }
    expect(await portal.refuse(invite, { token, body })).toMatchObject({
      status: 400,
      errors: {
        fullName: 'Name is required',
        personalEmail: 'Please enter a valid email address',
        role: 'Please choose the role admin or faculty',
      },
    })
    await setPassword(await invited())
    const faculty = await logInAs(omar.personalEmail)
    const other = { body: { ...omar, personalEmail: 'lena@example.com' }, params: { id: faculty.user._id } }
    for (const route of [invite, listInvitations, resendInvitation, withdrawInvitation]) {
      expect(await portal.refuse(route, { ...other, token: faculty.token })).toMatchObject({ status: 403 })
      expect(await portal.refuse(route, other)).toMatchObject({ status: 401 })
    }
  })

  test('is limited to 20 an hour per admin, with those sent again; what is refused does not count', async () => {
    const person = (n: number) => ({ ...omar, personalEmail: `person-${n}@example.com` })
    for (let n = 0; n < 19; n++) await send(person(n))
    for (let n = 0; n < 3; n++) await portal.refuse(invite, { token, body: person(n) })
    const { id } = await params()
    await portal.call(resendInvitation, { token, params: { id } })
    const tooMany = {
      status: 429,
      message: 'Too many invitations. Please try again in 60 minutes.',
      retryAfterSeconds: hourSeconds,
    }
    expect(await portal.refuse(invite, { token, body: person(20) })).toMatchObject(tooMany)
    expect(await portal.refuse(resendInvitation, { token, params: { id } })).toMatchObject(tooMany)
    portal.world.passSeconds(hourSeconds)
    await send(person(20))
  })

  test('counts invited admins among the 50 that there can be', async () => {
    await portal.stop()
    await start({ limits: { invitationsPerAdmin: { max: 100, windowMs: 1_000 } } })
    const admin = (n: number) => ({ ...omar, role: 'admin', personalEmail: `admin-${n}@example.com` })
    for (let n = 0; n < 49; n++) await send(admin(n))
    const full = { status: 409, message: 'There can be at most 50 admins, invited ones included.' }
    expect(await portal.refuse(invite, { token, body: admin(49) })).toMatchObject(full)
    await send()
    await portal.call(withdrawInvitation, { token, params: { id: (await listed())[1]?._id ?? '' } })
    await send(admin(49))
  })
})

describe('the link', () => {
  test('creates the account with the role, once, and the person logs in', async () => {
    const boss = { ...omar, role: 'admin' } as const
    const linkToken = await invited(boss)
    const { id } = await params()
    const used = await portal.call(resetPasswordByBody, { body: { token: linkToken, password: newPassword } })
    expect(used.message).toBe('Password reset successfully! Redirecting to login...')
    const { user, token: theirs } = await logInAs(omar.personalEmail)
    expect(user).toMatchObject({ _id: id, fullName: omar.fullName, personalEmail: omar.personalEmail, role: 'admin' })
    expect((await portal.call(listUsers, { token: theirs })).users).toContainEqual({
      _id: id,
      fullName: omar.fullName,
      personalEmail: omar.personalEmail,
      role: 'admin',
      emailVerified: true,
    })
    expect(await listed()).toEqual([])
    expect(await refusedPassword(linkToken, 'Another-2026')).toMatchObject(notValid)
    await logInAs(omar.personalEmail)
    const events = (await portal.recorded()).filter(({ stream }) => /^(invitation|admins)-/.test(stream))
    expect(events.map(({ type }) => type)).toEqual(['InvitationSent', 'InvitationAccepted', 'AdminAdded'])
    expect(securityEvents()).toMatch(/"event":"invitation-accepted","result":"ok"[^\n]*"mailbox"/)
  })

  test('refuses a password that is easy to guess, and stays valid', async () => {
    const linkToken = await invited()
    expect(await refusedPassword(linkToken, 'Farooqi-2026!')).toMatchObject({
      status: 400,
      errors: { password: expect.stringContaining('too close to your name') },
    })
    expect(await refusedPassword(linkToken, 'short')).toMatchObject({ status: 400 })
    expect((await setPassword(linkToken)).statusCode).toBe(200)
  })

  test('of an admin waits while the portal has 50, and stays valid', async () => {
    const linkToken = await invited({ ...omar, role: 'admin' })
    for (let n = 10; n < 59; n++) {
      const id = userIdSchema.parse(`01980000-0000-7000-8000-0000000000${n}`)
      await addAdminUnlimited(portal.parts.eventStore, id, id)
    }
    expect(await refusedPassword(linkToken)).toMatchObject({
      status: 409,
      message: 'The portal has as many admins as it can have. Please contact the center.',
    })
    expect(await listed()).toHaveLength(1)
  })

  test('makes one account of two clicks at the same moment', async () => {
    const linkToken = await invited()
    const passwords = ['Haystack-2026', 'Solstice-2026']
    const answers = await Promise.all(passwords.map((password) => setPassword(linkToken, password)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
    const [right = ''] = passwords.filter((_, n) => answers[n]?.statusCode === 200)
    await logInAs(omar.personalEmail, right)
    expect((await types()).filter((type) => type === 'UserRegistered')).toHaveLength(2)
  })

  test('works for 72 hours, and not after the invitation was sent again or withdrawn', async () => {
    const first = await invited()
    portal.world.passSeconds(72 * hourSeconds)
    expect(await refusedPassword(first)).toMatchObject(notValid)
    expect(await listed()).toMatchObject([{ ...omar, state: 'expired' }])
    await logInAsRoot()
    const second = await mailed(async () => portal.call(resendInvitation, { token, params: await params() }))
    expect(await listed()).toMatchObject([{ ...omar, state: 'pending', expiresAt: '2026-03-08T09:00:00.000Z' }])
    expect(await refusedPassword(first)).toMatchObject(notValid)
    const { id } = await params()
    await portal.call(withdrawInvitation, { token, params: { id } })
    expect(await refusedPassword(second)).toMatchObject(notValid)
    expect(await listed()).toEqual([])
    const gone = { status: 404, message: 'This invitation is no longer open.' }
    expect(await portal.refuse(withdrawInvitation, { token, params: { id } })).toMatchObject(gone)
    expect(await portal.refuse(resendInvitation, { token, params: { id } })).toMatchObject(gone)
    expect(securityEvents()).toContain(`"event":"invitation-withdrawn","result":"ok","target":"${id}"`)
    expect((await setPassword(await invited())).statusCode).toBe(200)
  })

  test('changes no account that the address got meanwhile, and says so', async () => {
    const linkToken = await invited({ ...omar, personalEmail: applicant.personalEmail, role: 'admin' })
    await portal.register()
    await until(async () => expect(await listed()).toEqual([]))
    expect(await refusedPassword(linkToken)).toMatchObject(exists)
    expect((await portal.logIn()).user.role).toBe('student')
    expect((await types()).filter((type) => type === 'InvitationLapsed')).toHaveLength(1)
  })
})

describe('personal data of an invitation', () => {
  const keyOf = async (id: string) => portal.parts.vault.encrypt(id, 'x')

  test('is encrypted, and destroyed by the withdrawal and two weeks after the expiry', async () => {
    const linkToken = await invited()
    const withdrawn = await params()
    await portal.call(withdrawInvitation, { token, params: withdrawn })
    await expect(keyOf(withdrawn.id)).rejects.toThrow('erased')

    const expired = (await send())._id
    portal.world.passSeconds((72 + 14 * 24) * hourSeconds)
    await portal.restart()
    await logInAsRoot()
    await until(async () => expect(await listed()).toEqual([]))
    await until(() => expect(keyOf(expired)).rejects.toThrow('erased'))
    expect((await types()).slice(-3)).toContain('InvitationLapsed')

    const replaced = (await send())._id
    portal.world.passSeconds(72 * hourSeconds)
    await logInAsRoot()
    const current = await send({ ...omar, fullName: 'Omar F.' })
    await expect(keyOf(replaced)).rejects.toThrow('erased')
    expect(await listed()).toEqual([current])

    const traces = [
      portal.bytesOnDisk(),
      JSON.stringify(await portal.recorded()),
      portal.world.log.join(''),
      securityEvents(),
    ]
    for (const secret of ['Farooqi', 'farooqi', linkToken, linkToken.slice(0, 43)])
      expect(traces.filter((text) => text.includes(secret))).toEqual([])
  })

  test('is in no log when the mail server quotes it', async () => {
    portal.world.outage.mail = new Error(`550 ${omar.fullName} <${omar.personalEmail}>`)
    await send()
    await until(() => expect(portal.world.log.join('')).toContain('failed to send invitation'))
    expect(portal.world.log.join('')).not.toMatch(/farooqi/i)
    expect(await listed()).toHaveLength(1)
  })
})

describe('after a crash or a lost read model', () => {
  test('an accepted invitation becomes an account at the next start', async () => {
    const linkToken = await invited({ ...omar, role: 'admin' })
    const { id } = await params()
    await portal.restart({ runs: false })
    const { eventStore, vault } = portal.parts
    const passwords = createPasswordHashing({ cost: lowCost, threads: 1, niceness: 0 })
    const hash = await passwords.hash(newPassword)
    await passwords.close()
    const command = {
      type: 'AcceptInvitation',
      tokenHash: resetTokenHash(vault, linkToken),
      credential: await vault.encrypt(id, hash),
      now: portal.world.clockAndIds.now(),
    } as const
    const handled = await handleCommand(eventStore, invitationDecider, emailIndexOf(linkToken) ?? '', command, {
      eventId: () => randomUUID(),
    })
    expect(handled.ok).toBe(true)
    await portal.restart({})
    await untilLoginOf(omar.personalEmail)
    expect((await logInAs(omar.personalEmail)).user).toMatchObject({ _id: id, role: 'admin' })
    expect((await types()).filter((type) => type === 'AdminAdded')).toHaveLength(1)
  })

  test('the list is rebuilt, and no mail goes out again', async () => {
    await invited()
    await portal.call(resendInvitation, { token, params: await params() })
    await until(() => expect(portal.world.mails).toHaveLength(2))
    const before = await listed()
    await portal.restart({ namespace: 'rebuilt' })
    await logInAsRoot()
    await until(async () => expect(await listed()).toEqual(before))
    expect(portal.world.mails).toHaveLength(2)
  })
})
