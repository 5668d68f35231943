import { listAudit } from '@portal/contracts/notifications/audit'
import { exportPeople, findPeople } from '@portal/contracts/notifications/people'
import type { Role } from '@portal/contracts/auth/user'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { encryptProfile, type Person, profileAt, registered } from '@portal/notifications/testing/people'
import { enrolledIn, programIdAt } from '@portal/notifications/testing/programs'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { nextMillisecond } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let portal: Harness
let admin: Person

const register = async (n: number, fullName: string, more: { universityName?: string; role?: Role } = {}) => {
  const { universityName = 'Eastbrook University', role = 'student' } = more
  const person: Person = { userId: userIdAt(n), sessionId: sessionIdAt(n), role }
  const profile = { ...profileAt(n), fullName, universityName }
  await nextMillisecond()
  await portal.record(
    person,
    registered(person.userId, role, await encryptProfile(portal.context.vault, person.userId, profile)),
  )
  return person
}

beforeAll(async () => {
  portal = await startHarness()
  const [first] = await portal.people(0)
  if (!first) throw new Error('the portal has no admin')
  admin = first
  await register(3, 'Zoë', { role: 'faculty', universityName: 'Westbrook University' })
  await register(2, 'Asha Rao')
  const kiran = await register(1, '=Kiran', { universityName: 'Westbrook University' })
  await portal.record(kiran, { type: 'UserDeactivated', data: { userId: kiran.userId } })
  await portal.recordCatalog(
    enrolledIn(1, userIdAt(1), 'Completed'),
    enrolledIn(2, userIdAt(1), 'Pending'),
    enrolledIn(1, userIdAt(2), 'Pending'),
  )
})
afterAll(() => portal.stop())

const list = (query: string) =>
  portal.context.app.inject({ url: `/admin/people?${query}`, headers: { authorization: bearer() } })
const bearer = (): string => `Bearer admin.${admin.userId}.${admin.sessionId}`
const namesOf = async (query: string): Promise<readonly string[]> =>
  findPeople.response.parse((await list(query)).json()).people.map(({ fullName }) => fullName)

describe('the list of all people', () => {
  it('has what admins see of each, also of deactivated ones, in pages of 50', async () => {
    const { people, pagination } = await portal.call(findPeople, { as: admin })
    expect(pagination).toEqual({ page: 1, limit: 50, total: 4, totalPages: 1 })
    expect(people.map(({ fullName, state }) => [fullName, state])).toEqual([
      ['=Kiran', 'deactivated'],
      ['Asha Rao', 'active'],
      ['Learner 0', 'active'],
      ['Zoë', 'active'],
    ])
    expect(people[0]).toEqual({
      _id: userIdAt(1),
      fullName: '=Kiran',
      personalEmail: 'learner1@example.com',
      role: 'student',
      universityName: 'Westbrook University',
      studentCode: 'MIN-2026-0001',
      emailVerified: true,
      state: 'deactivated',
      registeredAt: expect.stringMatching(/^20/),
    })
    expect(await portal.call(findPeople, { as: admin, query: { page: 2, limit: 3 } })).toMatchObject({
      people: [{ fullName: 'Zoë' }],
      pagination: { page: 2, limit: 3, total: 4, totalPages: 2 },
    })
  })

  it.each([
    ['q=rao', ['Asha Rao']],
    ['q=LEARNER2@EXAMPLE.COM asha', ['Asha Rao']],
    ['q=min-2026-0003', ['Zoë']],
    ['q=faculty', []],
    ['role=faculty', ['Zoë']],
    ['role=admin&role=faculty', ['Learner 0', 'Zoë']],
    ['state=deactivated', ['=Kiran']],
    ['state=active&role=student', ['Asha Rao']],
    ['state=active&state=deactivated&role=student', ['=Kiran', 'Asha Rao']],
    ['universityName=westbrook+UNIVERSITY', ['=Kiran', 'Zoë']],
    ['universityName=Elsewhere', []],
    [`programId=${programIdAt(1)}`, ['=Kiran', 'Asha Rao']],
    [`programId=${programIdAt(1)}&paymentStatus=Pending`, ['Asha Rao']],
    [`programId=${programIdAt(1)}&programId=${programIdAt(2)}&paymentStatus=Pending`, ['=Kiran', 'Asha Rao']],
    ['paymentStatus=Completed', ['=Kiran']],
  ])('is filtered: %s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names)
  })

  it.each([
    ['name', ['=Kiran', 'Asha Rao', 'Learner 0', 'Zoë']],
    ['-name', ['Zoë', 'Learner 0', 'Asha Rao', '=Kiran']],
    ['email', ['Learner 0', '=Kiran', 'Asha Rao', 'Zoë']],
    ['-email', ['Zoë', 'Asha Rao', '=Kiran', 'Learner 0']],
    ['registered', ['Learner 0', 'Zoë', 'Asha Rao', '=Kiran']],
    ['-registered', ['=Kiran', 'Asha Rao', 'Zoë', 'Learner 0']],
    ['role', ['Learner 0', 'Zoë', '=Kiran', 'Asha Rao']],
    ['-role', ['=Kiran', 'Asha Rao', 'Zoë', 'Learner 0']],
    ['university', ['Asha Rao', 'Learner 0', '=Kiran', 'Zoë']],
    ['-university', ['=Kiran', 'Zoë', 'Asha Rao', 'Learner 0']],
  ])('is sorted by %s', async (sort, names) => {
    expect(await namesOf(`sort=${sort}`)).toEqual(names)
  })

  it('rejects what it does not know', async () => {
    const answers = await Promise.all(
      ['role=owner', 'state=gone', 'sort=age', 'programId=x', 'paymentStatus=Late', 'limit=101', 'universityName='].map(
        async (query) => {
          const response = await list(query)
          return [response.statusCode, query, response.json().message]
        },
      ),
    )
    expect(answers).toEqual([
      [400, 'role=owner', 'role must be admin, faculty or student'],
      [400, 'state=gone', 'state must be active or deactivated'],
      [400, 'sort=age', expect.stringContaining('sort must be one of name, -name')],
      [400, 'programId=x', 'The id is not valid'],
      [400, 'paymentStatus=Late', 'paymentStatus must be Pending or Completed'],
      [400, 'limit=101', 'limit must be a whole number from 1 to 100'],
      [400, 'universityName=', 'universityName must not be empty'],
    ])
  })
})

describe('the CSV file of people', () => {
  it('has all whom the filter selects, and is recorded for who did what and in the security log', async () => {
    const url = '/admin/people.csv?sort=-name&role=student'
    const response = await portal.context.app.inject({ url, headers: { authorization: bearer() } })
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="users.csv"',
    })
    const [head, asha, kiran, ...rest] = response.body.split('\r\n')
    expect(head).toBe(
      '\uFEFF"Name","Email","Email verified","Role","University","Student code","State","Registered at (IST)","User id"',
    )
    expect(asha).toContain(
      '"Asha Rao","learner2@example.com","yes","student","Eastbrook University","MIN-2026-0002","active","20',
    )
    expect(kiran).toContain(`"'=Kiran","learner1@example.com"`)
    expect(kiran).toContain('"deactivated"')
    expect(rest).toEqual([''])
    expect(portal.context.securityLog.events.at(-1)).toMatchObject({
      event: 'users-listed',
      result: 'ok',
      route: exportPeople.path,
      userId: admin.userId,
    })
    await portal.untilProjected()
    expect((await portal.call(listAudit, { as: admin })).rows).toMatchObject([
      { kind: 'exports', says: 'Learner 0 exported 2 users' },
    ])
  })
})
