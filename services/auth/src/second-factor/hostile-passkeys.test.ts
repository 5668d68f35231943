import { isoCBOR } from '@simplewebauthn/server/helpers'
import {
  addPasskey,
  addRequiredPasskey,
  beginPasskey,
  beginPasskeyStep,
  beginRequiredPasskey,
} from '@portal/contracts/auth/passkeys'
import { beginRequiredTotp, confirmRequiredTotp, getSecondFactor } from '@portal/contracts/auth/second-factor'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { addPasskeyOf, newAuthenticator, passkeyOptions, sendSigned } from '@portal/auth/testing/passkeys'
import { challengeOf, codeOf } from '@portal/auth/testing/second-factor'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { userDecider } from '../user/decider.ts'
import { relyingPartyOf } from './relying-party.ts'

let portal: Harness
let token: string
const { password } = applicant

beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
  token = (await portal.logIn()).token
})
afterEach(() => portal.stop())

const begin = async () => (await portal.call(beginPasskey, { token, body: { password } })).options
const secondFactorEvents = async () =>
  (await portal.recorded()).filter(({ stream }) => stream.startsWith('secondfactor-')).map(({ type }) => type)

describe('what is no attestation', () => {
  const cbor = (value: Parameters<typeof isoCBOR.encode>[0]) => Buffer.from(isoCBOR.encode(value)).toString('base64url')

  test.each([
    ['a number', cbor(1)],
    ['a text', cbor('none')],
    ['a list', cbor([1])],
    [
      'a statement that is no map',
      cbor(
        new Map<string, string | number>([
          ['fmt', 'packed'],
          ['attStmt', 1],
        ]),
      ),
    ],
    ['a statement that is missing', cbor(new Map([['fmt', 'packed']]))],
    ['lists in lists', '-B'.padEnd(16_000, 'gYGB')],
  ])('is refused and not a failure of the portal: %s', async (_what, attestationObject) => {
    const valid = newAuthenticator().create(await begin())
    const credential = { ...valid, response: { ...valid.response, attestationObject } }
    expect(await portal.refuse(addPasskey, { token, body: { credential } })).toMatchObject({
      status: 400,
      message: 'This passkey did not work. Please try again.',
    })
  })

  test('and an id that is not the one in it, whose logins could never name it', async () => {
    const credential = { ...newAuthenticator().create(await begin()), id: newAuthenticator().id }
    expect(await portal.refuse(addPasskey, { token, body: { credential } })).toMatchObject({ status: 400 })
  })
})

test('an authenticator gets an account id that is the same each time, and says nothing about the account', async () => {
  const { user, ...first } = await begin()
  expect((await begin()).user.id).toBe(user.id)
  const { secondFactor } = await portal.call(getSecondFactor, { token })
  expect([first.excludeCredentials, secondFactor.passkeys]).toEqual([[], []])
  const [{ stream = '' } = {}] = (await portal.recorded()).filter(({ type }) => type === 'UserRegistered')
  const handle = Buffer.from(user.id, 'base64url')
  expect(handle).toHaveLength(32)
  expect(handle.toString('latin1')).not.toContain(stream.slice(-36))
})

describe('an account that is deactivated between the steps', () => {
  const deactivate = async (challenge: string) => {
    const userId = userIdSchema.parse(challenge.split('.')[0])
    const reason = await portal.parts.vault.encrypt(userId, 'Left the center')
    const command = { type: 'DeactivateUser', reason } as const
    await handleCommand(portal.parts.eventStore, userDecider, userId, command, { eventId: eventIdsOf('test', userId) })
  }
  const deactivated = { message: 'This account has been deactivated. Please contact the center.' }

  test('gets no request for its passkey, and no session', async () => {
    const authenticator = newAuthenticator()
    await addPasskeyOf(portal, token, authenticator)
    const step = await challengeOf(portal)
    const signed = authenticator.sign(await passkeyOptions(portal, step))
    await deactivate(step.challenge)
    const { cookie, challenge } = step
    expect(await portal.refuse(beginPasskeyStep, { cookie, body: { challenge } })).toMatchObject(deactivated)
    expect((await sendSigned(portal, step, signed)).json()).toMatchObject(deactivated)
    expect(await secondFactorEvents()).not.toContain('PasskeyUsed')
  })

  test('gets no second factor, which would outlast the deactivation', async () => {
    const root = { personalEmail: 'root@example.com', password: 'Banyan-2026' }
    await portal.restart({ adminMfa: 'required' })
    await portal.parts.auth.ensureFirstAdmin({ email: root.personalEmail, password: root.password })
    await until(async () => expect((await challengeOf(portal, root)).kind).toBe('set-up'))
    const { cookie, challenge } = await challengeOf(portal, root)
    const call = { cookie, body: { challenge } }
    const { options } = await portal.call(beginRequiredPasskey, call)
    const { secret } = await portal.call(beginRequiredTotp, call)
    const before = await secondFactorEvents()
    await deactivate(challenge)
    const credential = newAuthenticator().create(options)
    const code = codeOf(portal, secret)
    expect(await portal.refuse(beginRequiredPasskey, call)).toMatchObject(deactivated)
    expect(await portal.refuse(beginRequiredTotp, call)).toMatchObject(deactivated)
    const confirm = (body: object) => ({ cookie, body: { challenge, ...body } })
    expect(await portal.refuse(addRequiredPasskey, confirm({ credential }))).toMatchObject(deactivated)
    expect(await portal.refuse(confirmRequiredTotp, confirm({ code }))).toMatchObject(deactivated)
    expect(await secondFactorEvents()).toEqual(before)
  })
})

test.each([
  ['https://Learn.Portal.Example:8443', 'learn.portal.example', 'https://learn.portal.example:8443'],
  ['https://portal.example:443/', 'portal.example', 'https://portal.example'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
])('passkeys of %s are bound to its host name, and come from its origin', (publicOrigin, id, origin) => {
  const headers = { host: 'evil.example', origin: 'https://evil.example' }
  expect(relyingPartyOf({ publicOrigin }, { headers })).toEqual({ id, origin })
})
