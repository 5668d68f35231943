import { listMyPrograms, listPrograms, removeProgram } from '@portal/contracts/catalog/http'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerId, type Harness, otherLearnerId, startHarness } from '@portal/catalog/testing/harness'
import { seedEnrollments } from './enrollments.ts'
import { seededPrograms, seedPrograms } from './programs.ts'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const enroll = (entries: Parameters<typeof seedEnrollments>[1]) =>
  seedEnrollments({ eventStore: portal.eventStore, clockAndIds: systemClockAndIds }, entries)
const listed = async () => (await portal.call(listPrograms)).map(({ _id }) => _id)

describe('the seeded programs', () => {
  test('[H-12] are the four tracks of the Minor, three semesters at ₹45,000', async () => {
    const ids = await seedPrograms(portal.eventStore)
    await expect.poll(listed).toHaveLength(4)
    const programs = await portal.call(listPrograms)
    expect(programs.map(({ _id }) => _id)).toEqual(ids)
    expect(programs.map(({ programName }) => programName)).toEqual([
      'Minor in Artificial Intelligence',
      'Minor in Computer Science and Advanced Technologies',
      'Minor in Data Science and Machine Learning',
      'Minor in Business Analytics',
    ])
    for (const program of programs) {
      expect(program).toMatchObject({ semesterCount: 3, fee: '₹45,000', enrollmentDetails: { fee: '1000' } })
      expect(program.semesters).toEqual([{ fee: '₹15,000' }, { fee: '₹15,000' }, { fee: '₹15,000' }])
      expect(program.toolkit.length).toBeGreaterThanOrEqual(5)
      expect(program.facts.length).toBeGreaterThanOrEqual(2)
    }
  })

  test('are recorded once, also with repeated and concurrent calls', async () => {
    await Promise.all(Array.from({ length: 4 }, () => seedPrograms(portal.eventStore)))
    await seedPrograms(portal.eventStore)
    expect((await portal.recorded()).map(({ data }) => data)).toEqual(
      seededPrograms.map((program) => ({ program: { ...program, revision: 1 } })),
    )
  })

  test('are not restored after they were removed', async () => {
    const [gone, ...kept] = await seedPrograms(portal.eventStore)
    await portal.call(removeProgram, { as: 'admin', id: gone ?? '' })
    expect(await seedPrograms(portal.eventStore)).toEqual(kept)
    expect(await listed()).toEqual(kept)
  })

  test('share no id among their tools and facts', () => {
    const ids = seededPrograms.flatMap(({ _id, toolkit, facts }) => [
      _id,
      ...[...toolkit, ...facts].map((item) => item._id),
    ])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the seeded enrollments', () => {
  test('are recorded once for each learner and program', async () => {
    const [first, second] = await seedPrograms(portal.eventStore)
    if (first === undefined || second === undefined) throw new Error('no programs')
    const entries = [
      { userId: callerId, programId: first },
      { userId: callerId, programId: second },
      { userId: otherLearnerId, programId: first },
    ]
    await enroll(entries)
    await enroll([...entries, ...entries])
    expect((await portal.recorded()).filter(({ type }) => type === 'LearnerEnrolled')).toHaveLength(3)
    const enrolled = async (as: 'student' | 'student-2') =>
      (await portal.call(listMyPrograms, { as })).programs.map(({ programId }) => programId)
    await expect.poll(() => enrolled('student')).toEqual([second, first])
    await expect.poll(() => enrolled('student-2')).toEqual([first])
  })

  test('fail for an unknown program, and none is recorded', async () => {
    const [first] = await seedPrograms(portal.eventStore)
    const unknown = programRecordIdSchema.parse('01980000-0000-7000-8000-0000000000ff')
    const entries = [first ?? unknown, unknown].map((programId) => ({ userId: callerId, programId }))
    await expect(enroll(entries)).rejects.toThrow('There is no program')
    expect((await portal.recorded()).filter(({ type }) => type === 'LearnerEnrolled')).toEqual([])
  })
})
