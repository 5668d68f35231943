/** @module-tag verify */
import { createApiKey } from '@portal/contracts/auth/api-keys'
import { allRoutes } from '@portal/contracts/route-table'
import type { Access, AnyRoute } from '@portal/contracts/shared/route'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemSchema } from '@portal/contracts/shared/problem'
import { callRoute, logIn, seededEmail, send } from './testing/api-client.ts'
import { admin, newDataFolder, type PortalProcess, seedLearners, startPortal } from './testing/portal-process.ts'

/** Calls every route with invalid input: expects a 4xx problem with a readable message, and no recorded event. */
const id = '0199a7c0-0000-7000-8000-000000000000'
const long = 'x'.repeat(20_000)

let portal: PortalProcess
let dataFolder: Awaited<ReturnType<typeof newDataFolder>>
const tokens = { admin: '', learner: '' }

beforeAll(async () => {
  dataFolder = await newDataFolder()
  const password = await seedLearners(dataFolder.path, 2)
  portal = await startPortal({ dataDir: dataFolder.path })
  tokens.admin = (await logIn(portal.address, admin.email, admin.password)).token
  tokens.learner = (await logIn(portal.address, seededEmail(1), password)).token
})
afterAll(async () => {
  await portal?.stop()
  await dataFolder?.remove()
})

const registration = {
  fullName: 'Ada Example',
  personalEmail: 'ada@example.com',
  mobileNumber: '9876543210',
  universityName: 'Eastbrook University',
  password: 'Correct-horse1',
}
const passkey = { id: 'AAAA', type: 'public-key', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
const notification = { userIds: [id], title: 'Title', message: 'Message', type: 'General' }

const isRejected = (status: number): boolean => status >= 400 && status < 500

type Case = readonly [call: string, body: unknown, message: RegExp]
const invalidBodies: Record<string, readonly Case[]> = {
  anonymous: [
    ['POST /auth/login', {}, /^Email is required$/],
    ['POST /auth/login', { personalEmail: 'nobody', password: 'x' }, /^Please enter a valid email address$/],
    ['POST /auth/login', { personalEmail: { $ne: null }, password: 'x' }, /^Email is required$/],
    ['POST /auth/login', { personalEmail: 'a@b.co' }, /^Password is required$/],
    ['POST /auth/login', { personalEmail: 'a@b.co', password: long }, /./],
    ['POST /auth/register/initiate', { ...registration, universityName: '' }, /^University Name is required$/],
    ['POST /auth/register/initiate', { ...registration, mobileNumber: 9876543210 }, /^Mobile number is required$/],
    ['POST /auth/login/passkey', { challenge: 'x' }, /^This took too long\./],
    ['POST /auth/login/passkey/confirm', { challenge: 'x', credential: { ...passkey, type: 'password' } }, /./],
    ['POST /auth/login/passkey/set-up/confirm', { challenge: 'x', credential: passkey }, /^This took too long\./],
    [
      'POST /auth/register/verify-otp',
      { email: 'a@b.co', mobileNumber: '9876543210' },
      /^Please enter at least one OTP/,
    ],
    [
      'POST /auth/register/verify-otp',
      { email: 'a@b.co', mobileNumber: '9876543210', otpEmail: '12345' },
      /^OTP must be exactly 6 digits$/,
    ],
    [
      'POST /auth/register/resend-otp',
      { email: 'a@b.co', mobileNumber: '9876543210', type: 'pigeon' },
      /email, mobile or both/,
    ],
    ['POST /notifications/unsubscribe?token=x', undefined, /^This link is not complete/],
  ],
  learner: [
    ['GET /programs/not-an-id', undefined, /^Program not found$/],
    [`GET /programs/${id}`, undefined, /^Program not found$/],
    ['POST /programs/not-an-id/enroll', {}, /^Program not found$/],
    [`POST /programs/${id}/enroll`, undefined, /^Program not found$/],
    [`GET /user/programs/${id}`, undefined, /^Program not found$/],
    ['PUT /user/profile', {}, /^Name is required$/],
    ['POST /user/second-factor/totp', {}, /^Please enter your current password\.$/],
    ['POST /user/second-factor/totp/confirm', { code: ' ' }, /^Please enter a code\.$/],
    ['POST /user/second-factor/passkeys/options', {}, /^Please enter your current password\.$/],
    ['POST /user/second-factor/totp', { password: 'x', code: ' ' }, /^Please enter a code\.$/],
    ['DELETE /user/second-factor', { password: 'x', assertion: passkey }, /^This passkey did not work\./],
    ['POST /user/second-factor/passkeys', {}, /./],
    ['POST /user/second-factor/passkeys', { credential: { ...passkey, id: '<' } }, /^This passkey did not work\./],
    ['POST /user/second-factor/passkeys', { credential: passkey }, /^Passkeys do not work at this address/],
    ['DELETE /user/second-factor/passkeys/nope', { password: 'x' }, /^The id is not valid$/],
    ['POST /user/second-factor/recovery-codes', { password: 1 }, /^Please enter your current password\.$/],
    ['DELETE /user/second-factor', {}, /^Please enter your current password\.$/],
    ['DELETE /user/profile', {}, /^Please enter your current password\.$/],
    ['PUT /user/profile', { fullName: 'a\u0000b' }, /control characters/],
    ['POST /notifications/token', { token: '' }, /^token is required$/],
    ['POST /notifications/token', { token: ['x'] }, /^token is required$/],
    ['POST /notifications/token', { token: 'webpush:e30' }, /^token is not a usable push subscription$/],
    ['DELETE /user/sessions/nope', undefined, /^The id is not valid$/],
    ['DELETE /user/devices/nope', undefined, /^This device is no longer registered$/],
    ['POST /user/devices/nope/test', undefined, /^This device is no longer registered$/],
    [`POST /user/devices/${'x'.repeat(101)}/test`, undefined, /^The id is not valid$/],
    ['PUT /user/preferences', { push: { Party: true } }, /^push must have true or false for known types/],
    ['PUT /notifications/not-an-id/read', undefined, /^The id is not valid$/],
    ['GET /notifications/not-an-id', undefined, /^The id is not valid$/],
    ['GET /notifications?page=0', undefined, /^page must be a whole number/],
    ['GET /notifications?page=1.5', undefined, /^page must be a whole number/],
    ['GET /notifications?limit=1000000', undefined, /^limit must be a whole number/],
    ['GET /notifications?page=99999999999999999999', undefined, /^page must be a whole number/],
  ],
  admin: [
    [`PUT /admin/people/${id}`, {}, /^Please enter a university or a mobile number$/],
    [`PUT /admin/people/${id}/role`, { role: 'owner', password: 'x' }, /^role must be admin, faculty or student$/],
    [`POST /admin/people/${id}/deactivate`, { reason: 'two\nlines' }, /^Reason must be one line$/],
    [`DELETE /admin/people/${id}/sessions`, {}, /^Please enter your current password\.$/],
    [`DELETE /admin/people/${id}`, { personalEmail: 'nobody' }, /^Please enter a valid email address$/],
    ['POST /admin/invitations', { fullName: 'A', personalEmail: 'a@b', role: 'admin' }, /^Please enter a valid email/],
    ['POST /admin/invitations/nope/resend', undefined, /^The id is not valid$/],
    [`DELETE /admin/invitations/${id}`, undefined, /^This invitation is no longer open\.$/],
    ['POST /admin/api-keys', { label: '', rights: ['send'], password: 'x' }, /^Label is required$/],
    ['POST /admin/api-keys', { label: 'ERP', rights: [], password: 'x' }, /^Please choose what the key can do$/],
    [`DELETE /admin/api-keys/${id}`, undefined, /^There is no such API key$/],
    ['GET /notifications/recent?source=everybody', undefined, /./],
    ['GET /admin/audit?from=today', undefined, /^from must be a day such as/],
    ['GET /admin/people?role=owner', undefined, /^role must be admin/],
    ['GET /admin/people.csv?sort=age', undefined, /^sort must be one of/],
    ['POST /notifications/send', { ...notification, title: '  ' }, /^Please enter a notification title$/],
    ['POST /notifications/send', { ...notification, message: '' }, /^Please enter a notification message$/],
    ['POST /notifications/send', { ...notification, message: long }, /^Message must be at most/],
    ['POST /notifications/send', { ...notification, userIds: [] }, /^Please select at least one user$/],
    ['POST /notifications/send', { ...notification, userIds: 'all' }, /^Please select at least one user$/],
    ['POST /notifications/send', { ...notification, userIds: [42] }, /./],
    ['POST /notifications/send', { ...notification, userIds: ['robert"); drop table--'] }, /^The id is not valid$/],
    [
      'POST /notifications/send',
      { ...notification, userIds: Array.from({ length: 10_001 }, () => id) },
      /at most 10000 users/,
    ],
    ['POST /notifications/send', { ...notification, type: 'Party' }, /^Please choose a notification type$/],
    ['POST /notifications/send', notification, /do not exist/],
    ['POST /api/universities', { name: ' ' }, /^University name is required$/],
    ['PUT /api/universities/nope', { name: 'X' }, /^The id is not valid$/],
    [`PUT /api/universities/${id}`, { name: 'X' }, /not found/i],
    [`DELETE /api/universities/${id}`, undefined, /not found/i],
    ['POST /admin/pictures', {}, /^This file is damaged or is not a picture$/],
    ['POST /admin/pictures', { file: 'AAAA' }, /^A picture must be a PNG, JPEG or WebP file$/],
    ['POST /admin/programs', {}, /^Program name is required$/],
    ['POST /admin/programs', { programName: long }, /^Program name must be at most/],
    ['POST /admin/programs', { programName: 'X', semesterCount: 0 }, /^Semester count must be a whole number/],
    ['POST /admin/programs', { programName: 'X', toolkit: [{}] }, /^Tool name and logo URL are required$/],
    [`PUT /admin/programs/${id}`, { programName: 'X' }, /^Program not found$/],
    ['DELETE /admin/programs/nope', undefined, /^Program not found$/],
    ['POST /admin/programs/nope/restore', undefined, /^Program not found$/],
    [`POST /admin/programs/${id}/toolkit`, { name: 'X' }, /^Tool name and logo URL are required$/],
    [`POST /admin/programs/${id}/facts`, {}, /^Fact content is required$/],
    [`POST /admin/programs/${id}/enroll`, { contacts: [''] }, /^Each row needs an e-mail address or a student code$/],
    [`GET /admin/programs/${id}/invitations?limit=0`, undefined, /^limit must be a whole number/],
    [`GET /admin/programs/nope/invitations`, undefined, /^Program not found$/],
    [`POST /admin/programs/${id}/invitations/resend`, { invitationIds: ['nope'] }, /^The id is not valid$/],
    [
      `POST /admin/programs/${id}/invitations/withdraw`,
      { invitationIds: [] },
      /^Please choose at least one invitation$/,
    ],
    [`POST /programs/${id}/enroll`, {}, /^Only learners can enroll in programs$/],
  ],
}

test.each(Object.entries(invalidBodies))('invalid input is rejected with its message: %s', async (who, cases) => {
  const answers = []
  for (const [call, body] of cases) {
    const [method = '', path = ''] = call.split(' ')
    const token = who === 'admin' ? tokens.admin : who === 'learner' ? tokens.learner : undefined
    const given = { ...(token ? { token } : {}), ...(body === undefined ? {} : { body }) }
    const answer = await send(portal.address, method, path, given)
    answers.push({ call, isRejected: isRejected(answer.status), message: problemSchema.parse(answer.body).message })
  }
  expect(answers).toEqual(
    cases.map(([call, , message]) => ({ call, isRejected: true, message: expect.stringMatching(message) })),
  )
})

test('bodies that do not match their content type are rejected', async () => {
  const json = { 'content-type': 'application/json' }
  const bodies: readonly (readonly [body: string, headers: Readonly<Record<string, string>>])[] = [
    ['{"personalEmail":', json],
    ['[]', json],
    ['null', json],
    ['<a/>', { 'content-type': 'application/xml' }],
    [JSON.stringify({ personalEmail: 'x'.repeat(300_000) }), json],
    ['{"__proto__":{"role":"admin"},"personalEmail":"a@b.co"}', json],
  ]
  for (const [rawBody, headers] of bodies) {
    const answer = await send(portal.address, 'POST', '/auth/login', { rawBody, headers })
    expect([rawBody.slice(0, 80), isRejected(answer.status)]).toEqual([rawBody.slice(0, 80), true])
    expect(problemSchema.parse(answer.body).message).not.toBe('')
  }
})

describe('access rules', () => {
  const nameOf = ({ method, path }: AnyRoute): string => `${method} ${path.replaceAll(/:\w+/g, id)}`
  const callsFor = (access: Access): string[] => allRoutes.filter((route) => route.access === access).map(nameOf)
  const adminCalls = callsFor('admin')
  const signedInCalls = callsFor('signed-in')

  test('cover every route', () => {
    expect(adminCalls).toContain(`DELETE /admin/programs/${id}/facts/${id}`)
    expect(signedInCalls).toContain(`POST /programs/${id}/enroll`)
    expect(adminCalls).toContain(`DELETE /notifications/held/${id}`)
    expect(signedInCalls).toContain('GET /notifications')
  })
  test('[G-47] refuse strangers, and learners what is for admins', async () => {
    const statusesOf = async (calls: readonly string[], token?: string) => {
      const statuses: (readonly [string, number])[] = []
      for (const call of calls) {
        const [method = '', path = ''] = call.split(' ')
        const answer = await send(portal.address, method, path, token === undefined ? {} : { token })
        statuses.push([call, answer.status])
      }
      return statuses
    }
    const calls = [...adminCalls, ...signedInCalls]
    for (const token of [undefined, 'no.such.token'])
      expect(await statusesOf(calls, token)).toEqual(calls.map((call) => [call, 401]))
    expect(await statusesOf(adminCalls, tokens.learner)).toEqual(adminCalls.map((call) => [call, 403]))
  })
  test('let an API key do what its rights name, and nothing else', async () => {
    const body = { label: 'ERP', rights: ['read-results'], password: admin.password }
    const { key } = await callRoute(portal.address, createApiKey, { token: tokens.admin, body })
    const statusOf = async (call: string) => {
      const [method = '', path = ''] = call.split(' ')
      return (await send(portal.address, method, path, { token: key })).status
    }
    const routes = allRoutes.filter(({ access }) => access !== 'public')
    for (const route of routes) {
      const status = await statusOf(nameOf(route))
      expect([nameOf(route), status === 403]).toEqual([nameOf(route), route.apiKey !== 'read-results'])
      expect(status).toBeLessThan(500)
    }
    expect(routes.filter(({ apiKey }) => apiKey !== undefined).map(nameOf)).toEqual([
      'GET /notifications/recent',
      'POST /notifications/send',
      'POST /notifications/audience',
      `GET /notifications/${id}/recipients`,
      `GET /notifications/${id}/campaign`,
      'GET /notifications/activity',
    ])
  })
  test('a write with only a cookie needs the same origin', async () => {
    const cookie = `portal_session=${tokens.learner}`
    const body = { fullName: 'Somebody Else' }
    const foreign = await send(portal.address, 'PUT', '/user/profile', {
      body,
      headers: { cookie, origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    const none = await send(portal.address, 'PUT', '/user/profile', { body, headers: { cookie } })
    expect(none.status).toBe(403)
    const own = await send(portal.address, 'PUT', '/user/profile', {
      body,
      headers: { cookie, origin: portal.address },
    })
    expect(own.status).toBe(200)
  })
  test('an unknown call is a JSON 404, and a navigation is a page', async () => {
    const unknown = await send(portal.address, 'GET', '/no/such/call')
    expect(unknown.status).toBe(404)
    problemSchema.parse(unknown.body)
    const page = await fetch(`${portal.address}/notification`, { headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/text\/html/)
    expect(page.headers.get('vary')).toMatch(/accept/i)
  })
})

test('none of this is recorded or logged', async () => {
  const history = await send(portal.address, 'GET', '/notifications/recent', { token: tokens.admin })
  expect(history.body).toMatchObject({ notifications: [], pagination: { total: 0 } })
  const users = await send(portal.address, 'GET', '/admin/users', { token: tokens.admin })
  expect(JSON.stringify(users.body)).not.toContain('ada@example.com')
  const output = portal.output().replace(/First admin[^]*?Password: .*/, '') // the one place that shows it, once
  for (const secret of [
    admin.password,
    'Correct-horse1',
    tokens.admin,
    tokens.learner,
    'ada@example.com',
    '9876543210',
  ])
    expect(output).not.toContain(secret)
})
