import { deactivatePerson, reactivatePerson, changeRole } from '@portal/contracts/auth/accounts'
import { createApiKey, listApiKeys, maxApiKeys, revokeApiKey } from '@portal/contracts/auth/api-keys'
import { changePassword, listUsers } from '@portal/contracts/auth/http'
import { listSessions } from '@portal/contracts/auth/sessions'
import type { ApiKeyId } from '@portal/contracts/shared/ids'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

const rootPassword = 'Banyan-2026'
let portal: Harness
let token: string
beforeAll(async () => {
  portal = await startHarness()
  await portal.parts.auth.ensureFirstAdmin({ email: 'root@example.com', password: rootPassword })
  const root = { personalEmail: 'root@example.com', password: rootPassword }
  await until(async () => void (token = (await portal.logIn(root)).token))
})
afterAll(() => portal.stop())

const erp = { label: 'ERP', rights: ['send', 'read-results'], password: rootPassword }
const create = (body: object = erp, by = token) => portal.call(createApiKey, { token: by, body })
const list = async (by = token) => (await portal.call(listApiKeys, { token: by })).apiKeys
const revoke = (id: ApiKeyId, by = token) => portal.inject(revokeApiKey, { token: by, params: { id } })
/** 403: the key is valid but is not allowed to do this. 401: it is not valid. */
const statusOf = async (key: string, route: AnyRoute = listUsers) =>
  (await portal.inject(route, { token: key, params: { id: '01980000-0000-7000-8000-00000000000b' } })).statusCode

/** Registered, made an admin by root, and logged in again. */
const otherAdmin = async (n: number) => {
  const person = { ...applicant, personalEmail: `admin-${n}@example.com`, mobileNumber: String(9_500_000_000 + n) }
  await portal.register(person)
  const { user } = await portal.logIn(person)
  const call = { token, params: { id: user._id } }
  await portal.call(changeRole, { ...call, body: { role: 'admin', password: rootPassword } })
  const { key, apiKey } = await create({ ...erp, password: person.password }, (await portal.logIn(person)).token)
  return { id: user._id, person, key, apiKey, call }
}

test('a key is shown once, and is recorded as a hash with an encrypted label', async () => {
  const { apiKey, key } = await create()
  expect(key).toMatch(/^pk_[\w-]{65}$/)
  const { id } = apiKey
  expect(apiKey).toEqual({ id, label: 'ERP', rights: erp.rights, createdAt: '2026-03-02T09:00:00.000Z' })
  expect(await list()).toEqual([apiKey])
  const [, secret] = /^pk_.{22}(.+)$/.exec(key) ?? []
  for (const written of [
    portal.bytesOnDisk(),
    portal.world.log.join(),
    JSON.stringify(portal.world.securityLog.events),
  ])
    for (const part of [key, secret ?? key, '"ERP"']) expect(written).not.toContain(part)
  expect(portal.world.securityLog.events).toContainEqual(
    expect.objectContaining({ event: 'api-key-changed', result: 'ok', route: '/admin/api-keys' }),
  )
  expect((await revoke(id)).json()).toEqual({ success: true, message: 'API key revoked' })
  expect(await list()).toEqual([])
})

test('a key takes the own password, a label and rights', async () => {
  const refusals = [
    [{ ...erp, password: 'Wrong-2026' }, 'Your current password is incorrect'],
    [{ ...erp, password: undefined }, 'Please enter your current password.'],
    [{ ...erp, label: ' ' }, 'Label is required'],
    [{ ...erp, label: 'x'.repeat(61) }, 'Label must be at most 60 characters'],
    [{ ...erp, rights: [] }, 'Please choose what the key can do'],
    [{ ...erp, rights: undefined }, 'Please choose what the key can do'],
    [{ ...erp, rights: ['send', 'send'] }, 'Please name each right once'],
    [{ ...erp, rights: ['erase'] }, 'rights must be send or read-results'],
  ] as const
  expect(await portal.refusals(createApiKey, refusals, { token })).toEqual(refusals)
  expect(await list()).toEqual([])
})

describe('a key', () => {
  test('can do nothing that no contract allows, and counts as nobody on public routes', async () => {
    const { apiKey, key } = await create()
    for (const route of [
      listUsers,
      listApiKeys,
      createApiKey,
      revokeApiKey,
      deactivatePerson,
      changePassword,
      listSessions,
    ])
      expect([route.path, await statusOf(key, route)]).toEqual([route.path, 403])
    expect(await portal.refuse(listUsers, { token: key })).toMatchObject({
      code: 'forbidden',
      message: 'This API key is not allowed to do this',
    })
    // Browsers send cookies by themselves, and a key is not for them.
    expect((await portal.inject(listUsers, { cookie: `portal_session=${key}` })).statusCode).toBe(401)
    await revoke(apiKey.id)
  })

  test('is not valid if a character differs, nor without its admin', async () => {
    const { apiKey, key } = await create()
    const wrong = [key.slice(0, -1), `${key}A`, key.replace('pk_', 'PK_'), `pk_${'A'.repeat(65)}`, 'pk_', 'pk_é']
    const last = key.endsWith('A') ? 'B' : 'A'
    for (const given of [...wrong, key.slice(0, -2) + last + key.slice(-1)])
      expect([given, await statusOf(given)]).toEqual([given, 401])
    expect(await statusOf(key)).toBe(403)
    await revoke(apiKey.id)
  })

  test('shows the day of its last use, recorded once a day', async () => {
    const { apiKey, key } = await create()
    const uses = async () =>
      (await portal.recorded()).filter(({ type }) => type === 'ApiKeyUsed').map(({ data }) => data)
    const before = (await uses()).length
    await Promise.all([statusOf(key), statusOf(key), statusOf(key)])
    await until(async () => expect((await list())[0]).toEqual({ ...apiKey, lastUsedOn: '2026-03-02' }))
    await portal.restart()
    await statusOf(key)
    portal.world.passSeconds(24 * 60 * 60)
    await statusOf(key)
    await until(async () => expect((await list())[0]?.lastUsedOn).toBe('2026-03-03'))
    expect((await uses()).slice(before)).toMatchObject([{ day: '2026-03-02' }, { day: '2026-03-03' }])
    await revoke(apiKey.id)
  })

  test('stops working as soon as it is revoked, also where the read model was built again', async () => {
    const [first, second] = [await create(), await create({ ...erp, label: 'CRM' })]
    expect(await list()).toEqual([second.apiKey, first.apiKey])
    await revoke(first.apiKey.id)
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([401, 403])
    expect((await revoke(first.apiKey.id)).json()).toMatchObject({
      code: 'not-found',
      message: 'There is no such API key',
    })
    await portal.restart({ namespace: 'again' })
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([401, 403])
    await revoke(second.apiKey.id)
  })

  test('is one of ten of its admin, who cannot revoke those of others', async () => {
    const other = await otherAdmin(1)
    expect((await revoke(other.apiKey.id)).statusCode).toBe(404)
    expect(await statusOf(other.key)).toBe(403)
    const own = await Promise.all(Array.from({ length: maxApiKeys }, () => create()))
    expect(await portal.refuse(createApiKey, { token, body: erp })).toMatchObject({
      status: 409,
      message: 'You have 10 API keys. Revoke one to create another.',
    })
    for (const { apiKey } of own) await revoke(apiKey.id)
  })
})

describe('the keys of an admin', () => {
  test('stop working when the account is demoted, deactivated or erased, and do not come back', async () => {
    const [demoted, deactivated, erased] = [await otherAdmin(2), await otherAdmin(3), await otherAdmin(4)]
    const keys = [demoted, deactivated, erased].map(({ key }) => key)
    const statuses = () => Promise.all(keys.map((key) => statusOf(key)))
    expect(await statuses()).toEqual([403, 403, 403])
    await portal.call(changeRole, { ...demoted.call, body: { role: 'faculty', password: rootPassword } })
    await portal.call(deactivatePerson, { ...deactivated.call, body: { reason: 'left', password: rootPassword } })
    await portal.parts.auth.eraseUser(erased.id)
    await until(async () => expect(await statuses()).toEqual([401, 401, 401]))

    const revocations = async () =>
      (await portal.recorded()).flatMap(({ type, data }) =>
        type === 'ApiKeyRevoked' && typeof data === 'object' && data !== null && 'reason' in data ? [data.reason] : [],
      )
    await until(async () =>
      expect((await revocations()).slice(-3).toSorted()).toEqual(['deactivated', 'erased', 'role-changed']),
    )
    await portal.call(changeRole, { ...demoted.call, body: { role: 'admin', password: rootPassword } })
    await portal.call(reactivatePerson, deactivated.call)
    expect(await statuses()).toEqual([401, 401, 401])
    expect(await list((await portal.logIn(demoted.person)).token)).toEqual([])
  })

  test('survive a new password', async () => {
    const { person, key } = await otherAdmin(5)
    const body = { currentPassword: person.password, newPassword: 'Haystack-2027' }
    await portal.call(changePassword, { token: (await portal.logIn(person)).token, body })
    expect(await statusOf(key)).toBe(403)
  })
})
