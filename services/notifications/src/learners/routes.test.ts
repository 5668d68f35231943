import { listAudit } from '@portal/contracts/notifications/audit'
import { exportLearners, type LearnerSort, listLearners } from '@portal/contracts/notifications/learners'
import type { CatalogEvent } from '@portal/contracts/catalog/events'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { encryptProfile, type Person, profileAt, registered } from '@portal/notifications/testing/people'
import { enrollmentOf, programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let portal: Harness
let admin: Person

const register = async (n: number, fullName: string, universityName = 'Eastbrook University') => {
  const person: Person = { userId: userIdAt(n), sessionId: sessionIdAt(n), role: 'student' }
  const profile = await encryptProfile(portal.context.vault, person.userId, {
    ...profileAt(n),
    fullName,
    universityName,
  })
  await portal.record(person, registered(person.userId, 'student', profile))
  return person
}

/** Records what an admin did. */
const recordBy = async ({ userId: actorId }: Person, ...events: readonly CatalogEvent[]): Promise<void> => {
  const metadata = { actorId, correlationId: 'request-1' }
  const recorded = events.map((event) => ({ id: systemClockAndIds.newId(), ...event, metadata }))
  await portal.context.eventStore.append('catalog-all', 'any', recorded)
  await portal.untilProjected()
}

const enrolledOn = (program: number, n: number, day: number): CatalogEvent => ({
  type: 'LearnerEnrolled',
  data: { ...enrollmentOf(program, userIdAt(n)), enrolledAt: `2026-11-0${day}T00:00:00.000Z` },
})

const changed = (
  n: number,
  change: 'payment-confirmed' | 'semester-changed' | 'reinstated',
  more: { readonly currentSemester?: string; readonly paidPaise: number },
): CatalogEvent => {
  const { currentSemester = 'Semester 1', paidPaise } = more
  const feeAccount = { installmentsPaise: [1_500_000, 1_000_050], paidPaise }
  const paymentStatus = paidPaise < 2_500_050 ? ('Pending' as const) : ('Completed' as const)
  const enrolledAt = `2026-11-0${n}T00:00:00.000Z`
  const program = { programId: programIdAt(1), programName: 'AI' }
  const enrollment = { ...program, currentSemester, paymentStatus, feeAccount, enrolledAt }
  return { type: 'EnrollmentChanged', data: { userId: userIdAt(n), change, enrollment } }
}

beforeAll(async () => {
  portal = await startHarness()
  const [first] = await portal.people(0)
  if (!first) throw new Error('the portal has no admin')
  admin = first
  await register(1, '=Kiran', 'Westbrook University')
  await register(2, 'Asha Rao')
  const zoe = await register(3, 'Zoë', 'Westbrook University')
  await register(4, 'Omar')
  await portal.recordCatalog(savedProgram(1, 'AI'), savedProgram(2, 'Data'))
  await portal.recordCatalog(enrolledOn(1, 3, 3), enrolledOn(1, 1, 1), enrolledOn(2, 2, 1), enrolledOn(1, 4, 4))
  await recordBy(admin, enrolledOn(1, 2, 2))
  await recordBy(admin, changed(2, 'semester-changed', { currentSemester: 'Semester 2', paidPaise: 1_500_000 }))
  await recordBy(admin, changed(3, 'payment-confirmed', { paidPaise: 2_500_050 }))
  const ended = { userId: userIdAt(4), programId: programIdAt(1), change: 'withdrawn' as const }
  await recordBy(admin, { type: 'EnrollmentEnded', data: ended })
  await portal.record(zoe, { type: 'UserDeactivated', data: { userId: zoe.userId } })
})
afterAll(() => portal.stop())

const params = { id: programIdAt(1) }
const list = (query: Readonly<Record<string, string | number>> = {}) =>
  portal.call(listLearners, { as: admin, params, query })
const namesOf = async (query: Readonly<Record<string, string | number>>) =>
  (await list(query)).learners.map(({ fullName }) => fullName)

describe('the learners of a program', () => {
  it('are listed in pages with their payments, also those who are deactivated', async () => {
    const { learners, pagination, counts } = await list()
    expect(pagination).toEqual({ page: 1, limit: 50, total: 3, totalPages: 1 })
    expect(counts).toEqual({ all: 3, pending: 2, completed: 1 })
    expect(learners).toEqual([
      {
        userId: userIdAt(1),
        fullName: '=Kiran',
        personalEmail: 'learner1@example.com',
        universityName: 'Westbrook University',
        studentCode: 'MIN-2026-0001',
        state: 'active',
        currentSemester: 'Semester 1',
        paymentStatus: 'Pending',
        enrolledAt: '2026-11-01T00:00:00.000Z',
      },
      expect.objectContaining({
        fullName: 'Asha Rao',
        currentSemester: 'Semester 2',
        paymentStatus: 'Pending',
        feeAccount: { installmentsPaise: [1_500_000, 1_000_050], paidPaise: 1_500_000 },
        enrolledBy: 'Learner 0',
      }),
      expect.objectContaining({ fullName: 'Zoë', paymentStatus: 'Completed', state: 'deactivated' }),
    ])
    const second = await list({ page: 2, limit: 2, paymentStatus: 'Pending', sort: '-name' })
    expect(second).toMatchObject({ learners: [], pagination: { total: 2, totalPages: 1 }, counts })
    expect(await namesOf({ page: 2, limit: 2 })).toEqual(['Zoë'])
  })

  it.each([
    [{ q: 'rao' }, ['Asha Rao']],
    [{ q: 'LEARNER1@example.com' }, ['=Kiran']],
    [{ q: 'min-2026-0003' }, ['Zoë']],
    [{ q: 'omar' }, []],
    [{ paymentStatus: 'Completed' }, ['Zoë']],
    [{ semester: 2 }, ['Asha Rao']],
    [{ semester: 1, paymentStatus: 'Pending' }, ['=Kiran']],
    [{ semester: 3 }, []],
  ])('are filtered by %j', async (query, names) => {
    expect(await namesOf(query)).toEqual(names)
  })

  it.each<[LearnerSort, string[]]>([
    ['name', ['=Kiran', 'Asha Rao', 'Zoë']],
    ['-name', ['Zoë', 'Asha Rao', '=Kiran']],
    ['email', ['=Kiran', 'Asha Rao', 'Zoë']],
    ['-email', ['Zoë', 'Asha Rao', '=Kiran']],
    ['university', ['Asha Rao', '=Kiran', 'Zoë']],
    ['-university', ['=Kiran', 'Zoë', 'Asha Rao']],
    ['enrolled', ['=Kiran', 'Asha Rao', 'Zoë']],
    ['-enrolled', ['Zoë', 'Asha Rao', '=Kiran']],
    ['payment', ['=Kiran', 'Asha Rao', 'Zoë']],
    ['-payment', ['Zoë', '=Kiran', 'Asha Rao']],
    ['semester', ['=Kiran', 'Zoë', 'Asha Rao']],
    ['-semester', ['Asha Rao', '=Kiran', 'Zoë']],
  ])('are sorted by %s', async (sort, names) => {
    expect(await namesOf({ sort })).toEqual(names)
  })

  it('are those of a program in the catalog only, and for admins', async () => {
    await portal.recordCatalog({
      type: 'ProgramRemoved',
      data: { programId: programIdAt(2), removedAt: '2026-11-21T10:00:00.000Z' },
    })
    const refused = [
      [{ params: { id: programIdAt(2) } }, '404 not-found Program not found'],
      [{ params: { id: programIdAt(9) } }, '404 not-found Program not found'],
      [{ params: { id: 'MIN-1' } }, '404 not-found Program not found'],
      [{ params, query: { semester: 21 } }, 'semester must be a whole number from 1 to 20'],
      [{ params, query: { sort: 'age' } }, expect.stringContaining('sort must be one of name, -name')],
      [
        { params, query: { paymentStatus: 'Late' } },
        expect.stringContaining('paymentStatus must be Pending or Completed'),
      ],
    ] as const
    expect(await portal.refusals(listLearners, refused, { as: admin })).toEqual(refused)
    expect(await portal.refusals(exportLearners, refused.slice(0, 3), { as: admin })).toEqual(refused.slice(0, 3))
    const faculty: Person = { ...admin, role: 'faculty' }
    for (const route of [listLearners, exportLearners])
      expect((await portal.inject(route, { as: faculty, params })).statusCode).toBe(403)
  })
})

describe('the CSV file of learners', () => {
  it('has all whom the filter selects, and is recorded for who did what and in the security log', async () => {
    const response = await portal.inject(exportLearners, { as: admin, params, query: { sort: '-enrolled' } })
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="learners.csv"',
    })
    expect(response.body.split('\r\n')).toEqual([
      '\uFEFF"Name","Email","University","Student code","State","Semester","Payment","Paid (INR)","Open (INR)","Enrolled at (IST)","Enrolled by","User id"',
      expect.stringContaining('"Zoë","learner3@example.com","Westbrook University","MIN-2026-0003","deactivated"'),
      expect.stringContaining('"Semester 2","Pending","15000","10000.5"'),
      expect.stringContaining(`"'=Kiran","learner1@example.com"`),
      '',
    ])
    expect(response.body).toContain('"Semester 1","Completed","25000.5","0"')
    expect(response.body).toContain('"Semester 1","Pending","",""')
    expect(portal.context.securityLog.events.at(-1)).toMatchObject({
      event: 'users-listed',
      result: 'ok',
      route: exportLearners.path,
      userId: admin.userId,
    })
    await portal.untilProjected()
    expect((await portal.call(listAudit, { as: admin, query: { kind: 'exports' } })).rows).toMatchObject([
      { says: 'Learner 0 exported 3 learners of AI', object: { kind: 'program', id: programIdAt(1) } },
    ])
  })
})

it('a withdrawal that is undone leaves who had enrolled the learner', async () => {
  const asha = async () => (await list({ q: 'asha' })).learners
  const [before] = await asha()
  const ended = { userId: userIdAt(2), programId: programIdAt(1), change: 'withdrawn' as const }
  await portal.recordCatalog({ type: 'EnrollmentEnded', data: ended })
  expect(await asha()).toEqual([])
  await portal.recordCatalog(changed(2, 'reinstated', { currentSemester: 'Semester 2', paidPaise: 1_500_000 }))
  expect(await asha()).toEqual([before])
  expect(before?.enrolledBy).toBe('Learner 0')
  // Enrolled alone meanwhile: the undo restores who it was before.
  await portal.recordCatalog({ type: 'EnrollmentEnded', data: ended })
  await portal.recordCatalog(enrolledOn(1, 2, 5))
  expect((await asha())[0]?.enrolledBy).toBeUndefined()
  await portal.recordCatalog(changed(2, 'reinstated', { currentSemester: 'Semester 2', paidPaise: 1_500_000 }))
  expect((await asha())[0]?.enrolledBy).toBe('Learner 0')
})
