import {
  countAudience,
  getAudienceChoices,
  listPeople,
  readNotification,
  recallNotification,
  sendNotification,
  unreadNotification,
} from '@portal/contracts/notifications/http'
import { listLearners } from '@portal/contracts/notifications/learners'
import { universityIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { encryptProfile, type Person, profileAt, registered } from '@portal/notifications/testing/people'
import { enrolledIn, enrollmentOf, programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let portal: Harness
let admin: Person
let [ada, ben, eve]: UserId[] = []
const teacher: Person = { userId: userIdAt(100), sessionId: sessionIdAt(100), role: 'faculty' }
const [ai, data, removed] = [programIdAt(1), programIdAt(2), programIdAt(3)]

const registerTeacher = async () => {
  const { userId, role } = teacher
  const profile = await encryptProfile(portal.context.vault, userId, {
    fullName: 'Zoë Álvarez',
    personalEmail: 'zoe@example.com',
    universityName: 'Universität Köln',
    studentCode: '',
  })
  await portal.record(teacher, registered(userId, role, profile))
}

beforeAll(async () => {
  portal = await startHarness()
  const [first, ...learners] = await portal.people(3)
  if (!first) throw new Error('the portal has no admin')
  admin = first
  ;[ada, ben, eve] = learners.map(({ userId }) => userId)
  if (!ada || !ben) throw new Error('the portal has too few learners')
  await registerTeacher()
  await portal.recordCatalog(
    savedProgram(1, 'AI'),
    savedProgram(2, 'Data'),
    savedProgram(2, 'Data Science'),
    savedProgram(3, 'Closed'),
    { type: 'ProgramRemoved', data: { programId: removed, removedAt: '2026-11-02T00:00:00.000Z' } },
    enrolledIn(1, ada, 'Pending'),
    enrolledIn(2, ada, 'Completed'),
    enrolledIn(2, ben, 'Pending'),
  )
})
afterAll(() => portal.stop())

const count = async (audience: object) => {
  const { success: _, ...answer } = await portal.call(countAudience, { as: admin, body: { audience } })
  return answer
}
const sentenceOf = async (audience: object) => (await count(audience)).sentence
const list = (body: object) => portal.call(listPeople, { as: admin, body: { audience: {}, ...body } })
const namesOf = async (body: object) => (await list(body)).people.map(({ fullName }) => fullName)
const selectedOf = async (audience: object) =>
  (await list({ audience, onlySelected: true })).people.map((p) => p.userId)

describe('counting an audience', () => {
  it('describes a rule and counts its users', async () => {
    expect(await count({ programIds: [ai, data], paymentStatuses: ['Pending'] })).toEqual({
      count: 2,
      unknown: [],
      duplicates: 0,
      sentence: 'Learners of AI or Data Science whose payment is pending: 2 people',
    })
    expect(await sentenceOf({ everyone: true })).toBe('Everyone: 4 people')
    expect(await sentenceOf({ roles: ['faculty'] })).toBe('Faculty: 1 person')
    expect(await sentenceOf({ universityNames: ['eastbrook  university'], roles: ['student'] })).toBe(
      'Learners of eastbrook  university: 3 people',
    )
  })

  it('selects by semester and by the installment that is due, of one enrollment', async () => {
    if (!ben) throw new Error('the portal has too few learners')
    const { userId, ...enrollment } = { ...enrollmentOf(2, ben), currentSemester: 'Semester 2' }
    const feeAccount = { installmentsPaise: [100, 100], paidPaise: 100 }
    await portal.recordCatalog({
      type: 'EnrollmentChanged',
      data: { userId, enrollment: { ...enrollment, feeAccount }, change: 'payment-confirmed' },
    })
    expect(await count({ semesters: [2], installmentsDue: [2] })).toMatchObject({
      count: 1,
      sentence: 'Learners in semester 2 whose installment 2 is due: 1 person',
    })
    expect(await selectedOf({ semesters: [1] })).toEqual([ada])
    expect(await selectedOf({ programIds: [data], installmentsDue: [1, 2] })).toEqual([ben])
    expect(await selectedOf({ programIds: [ai], semesters: [2] })).toEqual([])
    const wrong = [
      [{ body: { audience: { semesters: [21] } } }, expect.stringContaining('must be whole numbers from 1 to 20')],
      [{ body: { audience: { installmentsDue: [0] } } }, expect.stringContaining('must be whole numbers from 1 to 20')],
      [{ body: { audience: { semesters: [] } } }, expect.stringContaining('Please select at least one user')],
    ] as const
    expect(await portal.refusals(countAudience, wrong, { as: admin })).toEqual(wrong)
  })

  it('finds universities regardless of accents and case', async () => {
    expect(await selectedOf({ universityNames: ['UNIVERSITAT KOLN'] })).toEqual([teacher.userId])
  })

  it('adds and removes by hand, also admins, and drops users who do not exist', async () => {
    const include = [admin.userId, ada, userIdAt(999)]
    expect(await sentenceOf({ programIds: [ai], include, exclude: [ada, eve] })).toBe(
      'Learners of AI, and 1 person added by hand, without 1 removed by hand: 1 person',
    )
    expect(await sentenceOf({ include: [admin.userId, ada] })).toBe('Chosen by hand: 2 people')
  })

  it('matches pasted contacts, and returns the unknown ones', async () => {
    const contacts = ['LEARNER1@example.com', 'min-2026-0001', 'nobody@example.com', '', 'zoe@example.com']
    expect(await count({ contacts })).toEqual({
      count: 2,
      unknown: ['nobody@example.com'],
      duplicates: 1,
      sentence: 'People among 4 pasted contacts: 2 people',
    })
  })

  it('accepts 100,000 contacts', async () => {
    const contacts = Array.from({ length: 100_000 }, (_, n) => `learner${n}@example.com`)
    expect(await count({ contacts })).toMatchObject({ count: 3, duplicates: 0 })
    const tooMany = await portal.inject(countAudience, {
      as: admin,
      body: { audience: { contacts: [...contacts, 'one@example.com'] } },
    })
    expect(tooMany.statusCode).toBe(400)
  })

  it('selects the recipients who have not read a notification', async () => {
    const body = { userIds: [ada, ben, eve], title: 'Exam moved', message: 'To Friday' }
    const { notificationId } = await portal.call(sendNotification, { as: admin, body })
    await portal.untilProjected()
    const reader: Person = { userId: ada ?? admin.userId, sessionId: sessionIdAt(1), role: 'student' }
    await portal.call(readNotification, { as: reader, params: { id: notificationId } })
    await portal.untilProjected()
    expect(await sentenceOf({ unreadOf: notificationId })).toBe(
      'Learners and faculty who have not read “Exam moved”: 2 people',
    )
    expect(await selectedOf({ unreadOf: notificationId })).toEqual([ben, eve])
  })

  it('reminds no user who has read a notification and marked it as unread', async () => {
    const body = { userIds: [ada, ben], title: 'Exam moved', message: 'To Friday' }
    const { notificationId } = await portal.call(sendNotification, { as: admin, body })
    await portal.untilProjected()
    const reader: Person = { userId: ada ?? admin.userId, sessionId: sessionIdAt(1), role: 'student' }
    const params = { id: notificationId }
    await portal.call(readNotification, { as: reader, params })
    await portal.call(unreadNotification, { as: reader, params })
    expect(await selectedOf({ unreadOf: notificationId })).toEqual([ben])
  })

  it('reminds no user of a notification that was withdrawn', async () => {
    const body = { userIds: [ada, ben], title: 'Wrong room', message: 'Please ignore' }
    const { notificationId } = await portal.call(sendNotification, { as: admin, body })
    await portal.untilProjected()
    expect(await selectedOf({ unreadOf: notificationId })).toEqual([ada, ben])
    await portal.call(recallNotification, { as: admin, params: { id: notificationId }, body: {} })
    await portal.untilProjected()
    expect(await selectedOf({ unreadOf: notificationId })).toEqual([])
  })

  it('rejects an empty rule, and an unknown or removed program', async () => {
    const rows = [
      [{ programIds: [] }, 'Please select at least one user'],
      [{ programIds: [programIdAt(9)] }, 'Program not found'],
      [{ programIds: [removed] }, 'Program not found'],
    ] as const
    const calls = rows.map(([audience, message]) => [{ body: { audience } }, message] as const)
    expect(await portal.refusals(countAudience, calls, { as: admin })).toEqual(calls)
  })
})

describe('the users for the send form', () => {
  it('are sorted by name, with what admins see of them', async () => {
    const { people, pagination } = await list({})
    expect(people.map(({ fullName }) => fullName)).toEqual([
      'Learner 0',
      'Learner 1',
      'Learner 2',
      'Learner 3',
      'Zoë Álvarez',
    ])
    expect(people.at(-1)).toEqual({
      userId: teacher.userId,
      fullName: 'Zoë Álvarez',
      personalEmail: 'zoe@example.com',
      role: 'faculty',
      universityName: 'Universität Köln',
      studentCode: '',
      emailVerified: true,
      isSelected: false,
    })
    expect(pagination).toEqual({ page: 1, limit: 50, total: 5, totalPages: 1 })
  })

  it('are searched by every word in any field, ignoring accents', async () => {
    expect(await namesOf({ q: 'alvarez ZOE' })).toEqual(['Zoë Álvarez'])
    expect(await namesOf({ q: 'faculty koln' })).toEqual(['Zoë Álvarez'])
    expect(await namesOf({ q: 'learner min-2026-0002' })).toEqual(['Learner 2'])
    expect(await namesOf({ q: 'student zoe' })).toEqual([])
  })

  it('are paged', async () => {
    const { people, pagination } = await list({ page: 2, limit: 2 })
    expect(people.map(({ fullName }) => fullName)).toEqual(['Learner 2', 'Learner 3'])
    expect(pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 })
  })

  it('say whom the rule selects', async () => {
    const audience = { programIds: [data], include: [eve], exclude: [ben] }
    const { people } = await list({ audience })
    expect(people.filter(({ isSelected }) => isSelected).map(({ userId }) => userId)).toEqual([ada, eve])
    expect(await selectedOf(audience)).toEqual([ada, eve])
  })

  it('change with a profile, a role and a name of a program', async () => {
    const { userId } = teacher
    const profile = await encryptProfile(portal.context.vault, userId, { ...profileAt(100), fullName: 'Aaron' })
    await portal.record(teacher, { type: 'UserProfileChanged', data: { userId, profile } })
    expect((await namesOf({})).at(0)).toBe('Aaron')
    await portal.record(teacher, { type: 'UserRoleChanged', data: { userId, role: 'admin' } })
    expect(await sentenceOf({ everyone: true })).toBe('Everyone: 3 people')
    await portal.recordCatalog(savedProgram(1, 'Robotics'))
    expect(await sentenceOf({ programIds: [ai] })).toBe('Learners of Robotics: 1 person')
  })
})

describe('the choices of a rule', () => {
  it('come with their numbers of users, without admins', async () => {
    const { success: _, ...choices } = await portal.call(getAudienceChoices, { as: admin })
    expect(choices).toEqual({
      everyone: 3,
      programs: [
        { programId: ai, name: 'Robotics', count: 1, listed: 1 },
        { programId: data, name: 'Data Science', count: 2, listed: 2 },
      ],
      paymentStatuses: [
        { paymentStatus: 'Pending', count: 2 },
        { paymentStatus: 'Completed', count: 1 },
      ],
      semesters: [
        { semester: 1, count: 1 },
        { semester: 2, count: 1 },
      ],
      installmentsDue: [
        { installment: 1, count: 1 },
        { installment: 2, count: 1 },
      ],
      universities: [{ name: 'Eastbrook University', count: 3 }],
      roles: [
        { role: 'student', count: 3 },
        { role: 'faculty', count: 0 },
      ],
    })
  })
})

describe('[D1] a renamed university', () => {
  const universityId = universityIdSchema.parse('01980000-0000-7000-8000-000000000001')

  it('takes its learners along, and rules with its former name find them', async () => {
    const formerName = 'Eastbrook University'
    const isOf = (name: string) => ({ universityNames: [name] })
    await portal.recordCatalog(
      { type: 'UniversityAdded', data: { universityId, name: formerName } },
      { type: 'UniversityRenamed', data: { universityId, name: 'Westbrook University' } },
    )
    const choices = await portal.call(getAudienceChoices, { as: admin })
    expect(choices.universities).toEqual([{ name: 'Westbrook University', count: 3 }])
    for (const name of ['Westbrook University', formerName])
      expect(await sentenceOf(isOf(name))).toBe('Learners and faculty of Westbrook University: 3 people')
    expect((await list({ q: 'westbrook' })).people.map((p) => p.universityName)).toEqual(
      Array.from({ length: 5 }, () => 'Westbrook University'),
    )
    expect(await namesOf({ q: 'eastbrook' })).toEqual([])
  })

  it('is one choice with learners who registered since', async () => {
    const newcomer: Person = { userId: userIdAt(101), sessionId: sessionIdAt(101), role: 'student' }
    const { userId, role } = newcomer
    const stated = { ...profileAt(101), universityName: 'Westbrook University', universityId }
    await portal.record(newcomer, registered(userId, role, await encryptProfile(portal.context.vault, userId, stated)))
    const choices = await portal.call(getAudienceChoices, { as: admin })
    expect(choices.universities).toEqual([{ name: 'Westbrook University', count: 4 }])
    expect(await selectedOf({ universityNames: ['Eastbrook University'] })).toContain(userId)
  })
})

it('a deactivated person is in no count, sentence, choice or list of the send form, until the account is active again', async () => {
  if (!ada) throw new Error('the portal has too few learners')
  const rules = [
    { programIds: [data] },
    { include: [ada, ben] },
    { programIds: [data], include: [ada], exclude: [ada] },
    { contacts: ['min-2026-0001', 'min-2026-0002'] },
  ]
  const listedIn = async () => {
    const { programs } = await portal.call(getAudienceChoices, { as: admin })
    const lists = programs.map(({ programId }) => portal.call(listLearners, { as: admin, params: { id: programId } }))
    expect(programs.map(({ listed }) => listed)).toEqual((await Promise.all(lists)).map(({ counts }) => counts.all))
    return programs.map(({ listed }) => listed)
  }
  const facts = async () => ({
    counts: await Promise.all(rules.map(count)),
    choices: (await portal.call(getAudienceChoices, { as: admin })).programs.map((program) => program.count),
    listed: await listedIn(),
    names: await namesOf({ q: 'min-2026-0001' }),
  })
  const before = await facts()
  await portal.record({ userId: ada }, { type: 'UserDeactivated', data: { userId: ada } })
  const without = await facts()
  expect(without.counts).toMatchObject([
    { count: 1, sentence: 'Learners of Data Science: 1 person' },
    { count: 1, sentence: 'Chosen by hand: 1 person' },
    { count: 1, sentence: 'Learners of Data Science: 1 person' },
    { count: 1, unknown: ['min-2026-0001'] },
  ])
  expect(without).toMatchObject({ choices: [0, 1], listed: before.listed, names: [] })
  await portal.record({ userId: ada }, { type: 'UserReactivated', data: { userId: ada } })
  expect(await facts()).toEqual(before)
})
