import {
  changeRole,
  correctPerson,
  deactivatePerson,
  eraseOwnAccount,
  erasePerson,
  getPerson,
  reactivatePerson,
  signOutPerson,
} from '@portal/contracts/auth/accounts'
import { changePassword, getProfile, listUsers, logIn, updateProfile } from '@portal/contracts/auth/http'
import { type UserId, universityIdSchema } from '@portal/contracts/shared/ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applicant, type Applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { loginRef } from '../user/projection.ts'
import { adminRosterDecider, adminRosterStreamId } from '../admin-roster/decider.ts'

const listed = ['Northfield Institute', 'Eastbrook University']
const universityId = universityIdSchema.parse('01980000-0000-7000-8000-00000000000d')
const universities = {
  find: async (name: string) => (listed.includes(name) ? ok(universityId) : rejected('not-listed' as const)),
}

type SignedIn = { readonly id: UserId; readonly token: string }

let portal: Harness
let root: SignedIn
const rootPassword = 'Banyan-2026'
beforeEach(async () => {
  portal = await startHarness({ universities })
  await portal.parts.auth.ensureFirstAdmin({ email: 'root@example.com', password: rootPassword })
  const { readModel, vault } = portal.parts
  await until(async () => expect(await readModel.get(loginRef(vault.index('email', 'root@example.com')))).toBeDefined())
  root = await signIn({ personalEmail: 'root@example.com', password: rootPassword })
})
afterEach(() => portal.stop())

const signIn = async (person: Pick<Applicant, 'personalEmail' | 'password'> = applicant): Promise<SignedIn> => {
  const { user, token } = await portal.logIn(person)
  return { id: user._id, token }
}

const bhavna = {
  ...applicant,
  fullName: 'Bhavna Rao',
  personalEmail: 'bhavna@example.com',
  mobileNumber: '9123456780',
  password: 'Saffron-2026',
}

const asRoot = (id: UserId, body?: object) => ({ token: root.token, params: { id }, ...(body && { body }) })
const personOf = async (id: UserId) => (await portal.call(getPerson, asRoot(id))).person
const statusOf = async (token: string) => (await portal.inject(getProfile, { token })).statusCode
const setRole = (id: UserId, role: string, by: SignedIn = root, password = rootPassword) =>
  portal.inject(changeRole, { token: by.token, params: { id }, body: { role, password } })

/** Registered as Bhavna, and made an admin by root. */
const secondAdmin = async (): Promise<SignedIn> => {
  await portal.register(bhavna)
  const { id } = await signIn(bhavna)
  expect((await setRole(id, 'admin')).statusCode).toBe(200)
  return signIn(bhavna)
}

/** Runs the work right before the first append of such an event. */
const justBefore = (type: string, work: () => Promise<void>): void => {
  const { eventStore } = portal.parts
  const append = eventStore.append.bind(eventStore)
  let isDone = false
  eventStore.append = async (stream, expected, events) => {
    if (!isDone && events.some((event) => event.type === type)) {
      isDone = true
      await work()
    }
    return append(stream, expected, events)
  }
}

test('all of it is for admins, and unknown people are not found', async () => {
  await portal.register()
  const learner = await signIn()
  const body = { role: 'admin', password: applicant.password, reason: 'x', personalEmail: applicant.personalEmail }
  const routes = [getPerson, correctPerson, changeRole, deactivatePerson, reactivatePerson, signOutPerson, erasePerson]
  for (const route of routes) {
    const call = { params: { id: root.id }, body: { ...body, mobileNumber: '9000000000' } }
    expect(await portal.refuse(route, { ...call, token: learner.token })).toMatchObject({ status: 403 })
    const unknown = { ...call, token: root.token, params: { id: '01980000-0000-7000-8000-00000000000b' } }
    expect(await portal.refuse(route, unknown)).toMatchObject({ status: 404, message: 'There is no such person' })
  }
})

describe('a person', () => {
  test('has the profile, and a history with names, newest first', async () => {
    await portal.register()
    const { id, token } = await signIn()
    portal.world.passSeconds(1)
    await portal.call(updateProfile, { token, body: { fullName: 'Asha Rao' } })
    portal.world.passSeconds(1)
    const newPassword = 'Monsoon-2027'
    await portal.call(changePassword, { token, body: { currentPassword: applicant.password, newPassword } })
    await portal.call(updateProfile, { token, body: { fullName: 'Asha Rao', notificationLanguage: 'hi' } })
    portal.world.passSeconds(1)
    await portal.call(correctPerson, asRoot(id, { universityName: 'Eastbrook University' }))
    portal.world.passSeconds(1)
    await setRole(id, 'faculty')
    portal.world.passSeconds(1)
    await portal.call(deactivatePerson, asRoot(id, { reason: 'Left the center' }))
    expect(await personOf(id)).toMatchObject({ state: 'deactivated', deactivationReason: 'Left the center' })
    portal.world.passSeconds(1)
    await portal.call(reactivatePerson, asRoot(id))
    const { history, ...person } = await personOf(id)
    const { password: _password, ...entered } = applicant
    expect(person).toEqual({
      _id: id,
      ...entered,
      fullName: 'Asha Rao',
      notificationLanguage: 'hi',
      universityName: 'Eastbrook University',
      studentCode: expect.stringMatching(/^MIN-2026-/),
      profileImage: '',
      role: 'faculty',
      emailVerified: true,
      state: 'active',
      hasSecondFactor: false,
      sessions: [],
      registeredAt: '2026-03-02T09:00:00.000Z',
    })
    expect(history.map(({ at: _at, ...entry }) => entry)).toEqual([
      { what: 'reactivated', by: 'Admin' },
      { what: 'deactivated', by: 'Admin', reason: 'Left the center' },
      { what: 'role-changed', by: 'Admin', role: 'faculty' },
      { what: 'corrected', by: 'Admin' },
      { what: 'password-changed', by: 'Asha Rao' },
      { what: 'name-changed', by: 'Asha Rao' },
      { what: 'registered', by: 'Asha Rao' },
    ])
    expect(history[0]?.at).toBe('2026-03-02T09:00:06.000Z')
    const rootHistory = (await personOf(root.id)).history
    expect(rootHistory.map(({ what, by }) => [what, by])).toEqual([['registered', undefined]])
    expect(portal.bytesOnDisk()).not.toContain('Left the center')
  })
})

describe('a correction', () => {
  test('follows the rules of a registration, and says at the field what is wrong', async () => {
    await portal.register()
    await portal.register(bhavna)
    const { id } = await signIn()
    const rows = [
      [{}, 'Please enter a university or a mobile number'],
      [{ universityName: 'Nowhere' }, 'Please choose a university from the list'],
      [{ mobileNumber: '12345' }, 'Mobile number must be exactly 10 digits'],
    ] as const
    const before = (await portal.recorded()).length
    expect(await portal.refusals(correctPerson, rows, asRoot(id))).toEqual(rows)
    expect(await portal.refuse(correctPerson, asRoot(id, { mobileNumber: bhavna.mobileNumber }))).toMatchObject({
      status: 409,
      errors: { mobileNumber: 'This mobile number already belongs to another account.' },
    })
    expect(await portal.recorded()).toHaveLength(before)
    await portal.call(correctPerson, asRoot(id, { mobileNumber: '+91 90000 11111' }))
    expect(await personOf(id)).toMatchObject({ mobileNumber: '9000011111', universityName: applicant.universityName })
  })

  test('frees the former number for another account, once the new one is recorded', async () => {
    await portal.register()
    await portal.register(bhavna)
    const [asha, other] = [await signIn(), await signIn(bhavna)]
    await portal.call(correctPerson, asRoot(asha.id, { mobileNumber: '9000011111' }))
    portal.world.passSeconds(61)
    await portal.call(correctPerson, asRoot(other.id, { mobileNumber: applicant.mobileNumber }))
    const back = asRoot(asha.id, { mobileNumber: applicant.mobileNumber })
    expect(await portal.refuse(correctPerson, back)).toMatchObject({ status: 409 })
  })
})

describe('a role', () => {
  test('changes with the own password only, ends the sessions and keeps the password', async () => {
    await portal.register()
    const { id, token } = await signIn()
    const wrong = { message: 'Your current password is incorrect', errors: { password: expect.any(String) } }
    expect(await portal.refuse(changeRole, asRoot(id, { role: 'admin', password: 'Wrong-2026' }))).toMatchObject(wrong)
    expect(await portal.refuse(changeRole, asRoot(id, { role: 'admin' }))).toMatchObject({
      errors: { password: 'Please enter your current password.' },
    })
    expect(await statusOf(token)).toBe(200)
    expect((await setRole(id, 'admin')).statusCode).toBe(200)
    expect(await statusOf(token)).toBe(401)
    const promoted = await signIn()
    await portal.call(listUsers, { token: promoted.token })
    const changes = portal.world.securityLog.events.filter(({ event }) => event === 'account-changed')
    expect(changes.map(({ result, target, userId }) => [result, target, userId])).toEqual([
      ['refused', id, root.id],
      ['ok', id, root.id],
    ])
  })

  test('takes ten wrong passwords in a quarter of an hour, and any number of right ones', async () => {
    await portal.register()
    const { id } = await signIn()
    for (let n = 0; n < 12; n++) expect((await setRole(id, n % 2 === 0 ? 'faculty' : 'student')).statusCode).toBe(200)
    for (let n = 0; n < 10; n++) await setRole(id, 'faculty', root, `Guess-${n}`)
    const body = { role: 'faculty', password: rootPassword }
    expect(await portal.refuse(changeRole, asRoot(id, body))).toMatchObject({ status: 429, retryAfterSeconds: 900 })
    portal.world.passSeconds(900)
    await portal.call(changeRole, asRoot(id, body))
  })
})

describe('the last admin', () => {
  const lastAdmin = { status: 409, code: 'conflict', message: 'There must be at least one admin.' }

  test('can neither lose the role, nor be deactivated, nor be deleted', async () => {
    const password = rootPassword
    expect(await portal.refuse(changeRole, asRoot(root.id, { role: 'student', password }))).toMatchObject(lastAdmin)
    expect(await portal.refuse(deactivatePerson, asRoot(root.id, { reason: 'x', password }))).toMatchObject(lastAdmin)
    const body = { personalEmail: 'root@example.com', password }
    expect(await portal.refuse(erasePerson, asRoot(root.id, body))).toMatchObject(lastAdmin)
    expect(await portal.refuse(eraseOwnAccount, { token: root.token, body })).toMatchObject(lastAdmin)
    expect(await statusOf(root.token)).toBe(200)
    const second = await secondAdmin()
    expect((await setRole(root.id, 'student')).statusCode).toBe(200)
    expect((await portal.call(listUsers, { token: second.token })).users.map(({ role }) => role)).toEqual([
      'student',
      'admin',
    ])
  })

  test('stays when two admins remove each other at the same moment', async () => {
    const second = await secondAdmin()
    const removals = [
      (target: UserId, by: SignedIn, password: string) => setRole(target, 'faculty', by, password),
      (target: UserId, { token }: SignedIn, password: string) =>
        portal.inject(deactivatePerson, { token, params: { id: target }, body: { reason: 'Left', password } }),
      (target: UserId, { token }: SignedIn, password: string, personalEmail: string) =>
        portal.inject(erasePerson, { token, params: { id: target }, body: { personalEmail, password } }),
    ]
    const restore = async (winner: SignedIn, loser: UserId, password: string) => {
      await portal.inject(reactivatePerson, { token: winner.token, params: { id: loser } })
      await setRole(loser, 'admin', winner, password)
    }
    let pair = { root, second }
    for (const remove of removals) {
      const answers = await Promise.all([
        remove(pair.second.id, pair.root, rootPassword, bhavna.personalEmail),
        remove(pair.root.id, pair.second, bhavna.password, 'root@example.com'),
      ])
      const statuses = answers.map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect([401, 403, 409]).toContain(statuses.find((status) => status !== 200))
      if (remove === removals[2]) return
      const isRoot = statuses[0] === 200
      const [winner, loser] = isRoot ? [pair.root, pair.second] : [pair.second, pair.root]
      await restore(winner, loser.id, isRoot ? rootPassword : bhavna.password)
      portal.world.passSeconds(900)
      pair = {
        root: await signIn({ personalEmail: 'root@example.com', password: rootPassword }),
        second: await signIn(bhavna),
      }
    }
  })

  test('is one of at most fifty', async () => {
    await portal.register()
    const { id } = await signIn()
    await addAdmins(49)
    const refused = await portal.refuse(changeRole, asRoot(id, { role: 'admin', password: rootPassword }))
    expect(refused).toMatchObject(tooManyAdmins)
  })
})

const tooManyAdmins = { status: 409, message: 'There can be at most 50 admins.' }
const addAdmins = async (count: number): Promise<void> => {
  for (let n = 10; n < 10 + count; n++) {
    const userId = `01980000-0000-7000-8000-0000000000${n}` as UserId
    const command = { type: 'AddAdmin', userId, known: 'unlimited' } as const
    const eventId = eventIdsOf('test', String(n))
    await handleCommand(portal.parts.eventStore, adminRosterDecider, adminRosterStreamId, command, { eventId })
  }
}

describe('the fiftieth admin', () => {
  let learner: SignedIn
  const promotion = { role: 'admin', password: rootPassword }
  beforeEach(async () => {
    await portal.register()
    learner = await signIn()
    await portal.call(deactivatePerson, asRoot(learner.id, { reason: 'Left' }))
  })

  test('stays the last one if a promotion and a reactivation of one account meet', async () => {
    const { id } = learner
    await addAdmins(49)
    justBefore('UserRoleChanged', async () => {
      await portal.call(reactivatePerson, asRoot(id))
    })
    expect(await portal.refuse(changeRole, asRoot(id, promotion))).toMatchObject(tooManyAdmins)
    expect(await personOf(id)).toMatchObject({ role: 'student', state: 'active' })
    await portal.call(deactivatePerson, asRoot(id, { reason: 'Left' }))
    justBefore('UserReactivated', async () => {
      await portal.call(changeRole, asRoot(id, promotion))
    })
    expect(await portal.refuse(reactivatePerson, asRoot(id))).toMatchObject(tooManyAdmins)
    expect(await personOf(id)).toMatchObject({ role: 'admin', state: 'deactivated' })
  })

  test('is one of two people who are promoted and reactivated at the same moment', async () => {
    await portal.call(changeRole, asRoot(learner.id, promotion))
    await portal.register(bhavna)
    const other = await signIn(bhavna)
    await addAdmins(48)
    const answers = await Promise.all([
      portal.inject(changeRole, asRoot(other.id, promotion)),
      portal.inject(reactivatePerson, asRoot(learner.id)),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const people = [await personOf(learner.id), await personOf(other.id)]
    expect(people.filter(({ role, state }) => role === 'admin' && state === 'active')).toHaveLength(1)
  })
})

describe('a person who becomes an admin after the account was read', () => {
  const promote = async (id: UserId): Promise<void> => {
    expect((await setRole(id, 'admin')).statusCode).toBe(200)
  }
  const removals = async () => (await portal.recorded()).filter(({ type }) => type === 'AdminRemoved')
  let learner: SignedIn
  beforeEach(async () => {
    await portal.register()
    learner = await signIn()
  })

  test('is deactivated by the rules for admins', async () => {
    const { id } = learner
    justBefore('UserDeactivated', () => promote(id))
    expect(await portal.refuse(deactivatePerson, asRoot(id, { reason: 'Left' }))).toMatchObject({
      errors: { password: 'Please enter your current password.' },
    })
    expect(await personOf(id)).toMatchObject({ state: 'active', role: 'admin' })
    await portal.call(deactivatePerson, asRoot(id, { reason: 'Left', password: rootPassword }))
    expect(await removals()).toMatchObject([{ data: { userId: id, by: root.id, change: { kind: 'deactivated' } } }])
  })

  test('gets another role by them', async () => {
    const { id } = learner
    justBefore('UserRoleChanged', () => promote(id))
    expect((await setRole(id, 'faculty')).statusCode).toBe(200)
    expect(await removals()).toMatchObject([{ data: { userId: id, change: { kind: 'role', role: 'faculty' } } }])
    expect(await personOf(id)).toMatchObject({ role: 'faculty' })
  })

  test('is deleted by them, also by themself', async () => {
    const { id, token } = learner
    justBefore('UserErased', () => promote(id))
    const { password } = applicant
    expect((await portal.inject(eraseOwnAccount, { token, body: { password } })).statusCode).toBe(200)
    expect(await removals()).toMatchObject([{ data: { userId: id, by: id, change: { kind: 'erased' } } }])
  })
})

describe('a deactivation', () => {
  test('ends sessions, and says so after the right password only, until it is taken back', async () => {
    await portal.register()
    const { id, token } = await signIn()
    expect(await portal.refuse(deactivatePerson, asRoot(id, { reason: ' ' }))).toMatchObject({
      errors: { reason: 'Reason is required' },
    })
    await portal.call(deactivatePerson, asRoot(id, { reason: 'Left' }))
    await portal.call(deactivatePerson, asRoot(id, { reason: 'Again' }))
    expect(await statusOf(token)).toBe(401)
    const { personalEmail, password } = applicant
    expect(await portal.refuse(logIn, { body: { personalEmail, password } })).toMatchObject({
      status: 401,
      message: 'This account has been deactivated. Please contact the center.',
    })
    expect(await portal.refuse(logIn, { body: { personalEmail, password: 'Wrong-2026' } })).toMatchObject({
      message: 'Invalid credentials',
    })
    const ended = (await portal.recorded()).filter(({ type }) => type === 'SessionEnded')
    expect(ended).toMatchObject([{ data: { reason: 'deactivated' } }])
    await portal.call(reactivatePerson, asRoot(id))
    await signIn()
    const done = (await portal.recorded()).filter(({ type }) => /^User(Dea|Rea)ctivated$/.test(type))
    expect(done.map(({ type }) => type)).toEqual(['UserDeactivated', 'UserReactivated'])
  })

  test('of an admin takes the own password', async () => {
    const second = await secondAdmin()
    expect(await portal.refuse(deactivatePerson, asRoot(second.id, { reason: 'Left' }))).toMatchObject({
      status: 400,
      errors: { password: 'Please enter your current password.' },
    })
    await portal.call(deactivatePerson, asRoot(second.id, { reason: 'Left', password: rootPassword }))
    expect(await statusOf(second.token)).toBe(401)
  })

  test('of an admin is completed after a crash between the roster and the account', async () => {
    const second = await secondAdmin()
    await portal.restart({ runs: false })
    const { eventStore, vault } = portal.parts
    const change = { kind: 'deactivated', reason: await vault.encrypt(second.id, 'Left') } as const
    const removalId = '01980000-0000-7000-8000-0000000000aa'
    const removal = { removalId, userId: second.id, by: root.id, change }
    const command = { type: 'RemoveAdmin', removal, known: [root.id, second.id] } as const
    const eventId = eventIdsOf('admin-removed', removalId)
    await handleCommand(eventStore, adminRosterDecider, adminRosterStreamId, command, { eventId })
    expect(await personOf(second.id)).toMatchObject({ state: 'active' })

    await portal.restart({ universities })
    await until(async () => expect(await statusOf(second.token)).toBe(401))
    const { history } = await personOf(second.id)
    expect(history[0]).toMatchObject({ what: 'deactivated', by: 'Admin', reason: 'Left' })
  })
})

describe('a deletion', () => {
  test('by its owner takes the password, ends everything, and answers with a receipt', async () => {
    await portal.register()
    const { id, token } = await signIn()
    const body = { password: 'Wrong-2026' }
    expect(await portal.refuse(eraseOwnAccount, { token, body })).toMatchObject({
      message: 'Your current password is incorrect',
      errors: { password: expect.any(String) },
    })
    const { receipt } = await portal.call(eraseOwnAccount, { token, body: { password: applicant.password } })
    expect(receipt.erasedAt).toBe(portal.world.clockAndIds.now().toISOString())
    const recorded: string[] = []
    for await (const { id: eventId, type } of portal.parts.eventStore.read(`user-${id}`))
      if (type === 'UserErased') recorded.push(eventId)
    expect(recorded).toEqual([receipt.id])
    expect(await statusOf(token)).toBe(401)
    expect(await portal.refuse(getPerson, asRoot(id))).toMatchObject({ status: 404 })
    const { personalEmail, password } = applicant
    expect(await portal.refuse(logIn, { body: { personalEmail, password } })).toMatchObject({
      message: 'Invalid credentials',
    })
  })

  test('by an admin takes the typed address, of an admin also the own password', async () => {
    await portal.register()
    const [asha, second] = [await signIn(), await secondAdmin()]
    expect(await portal.refuse(erasePerson, asRoot(asha.id, { personalEmail: bhavna.personalEmail }))).toMatchObject({
      status: 400,
      errors: { personalEmail: 'This is not the email address of the account' },
    })
    const typed = { personalEmail: ' Asha.Verma@EXAMPLE.com ' }
    const { receipt } = await portal.call(erasePerson, asRoot(asha.id, typed))
    expect(receipt.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await statusOf(asha.token)).toBe(401)

    const personalEmail = bhavna.personalEmail
    expect(await portal.refuse(erasePerson, asRoot(second.id, { personalEmail }))).toMatchObject({
      errors: { password: 'Please enter your current password.' },
    })
    await portal.call(erasePerson, asRoot(second.id, { personalEmail, password: rootPassword }))
    expect(await statusOf(second.token)).toBe(401)
    expect((await portal.call(listUsers, { token: root.token })).users).toHaveLength(1)
  })

  test('can be tried twenty times in a quarter of an hour', async () => {
    await portal.register()
    const { id } = await signIn()
    const wrong = asRoot(id, { personalEmail: 'another@example.com' })
    for (let n = 0; n < 20; n++) await portal.refuse(erasePerson, wrong)
    expect(await portal.refuse(erasePerson, wrong)).toMatchObject({ status: 429, retryAfterSeconds: 900 })
  })
})
