import { restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import {
  createProgram,
  enrollInProgram,
  getMyProgram,
  listMyPrograms,
  removeProgram,
  updateProgram,
} from '@portal/contracts/catalog/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerId, type Harness, startHarness } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const as = 'student'
const notFound = { status: 404, code: 'not-found', message: 'Program not found' }

const create = async (programName = 'Minor in AI') =>
  (await portal.call(createProgram, { as: 'admin', body: { programName } })).data
const enroll = async (id: string, learner: 'student' | 'student-2' = as) =>
  (await portal.call(enrollInProgram, { as: learner, id })).data
const mine = async (learner: 'student' | 'student-2' = as) =>
  (await portal.call(listMyPrograms, { as: learner })).programs
const recordedEnrollments = async () => (await portal.recorded()).filter(({ type }) => type === 'LearnerEnrolled')

describe('enrolling', () => {
  test('[P-45 P-59 P-60] is for the first semester with payment pending, and is on the list at once', async () => {
    const { _id: id } = await create()
    const answer = await portal.call(enrollInProgram, { as, id })
    expect(answer).toMatchObject({ success: true, message: 'Enrolled successfully' })
    expect(answer.data).toEqual({
      programId: id,
      programName: 'Minor in AI',
      currentSemester: 'Semester 1',
      paymentStatus: 'Pending',
      enrolledAt: answer.data.enrolledAt,
      withdrawnAt: null,
    })
    expect(await portal.call(listMyPrograms, { as })).toEqual({
      success: true,
      programs: [answer.data],
      data: [answer.data],
    })
  })

  test('again returns the same enrollment, which is recorded once, with the actor', async () => {
    const { _id: id } = await create()
    const first = await enroll(id)
    expect(await enroll(id)).toEqual(first)
    expect(await recordedEnrollments()).toMatchObject([
      { data: { userId: callerId, programId: id }, actorId: callerId },
    ])
  })

  test("lists the newest first, each learner's own", async () => {
    const [first, second] = [await create('Minor in AI'), await create('Minor in DS')]
    await enroll(first._id)
    await enroll(second._id)
    await enroll(first._id, 'student-2')
    expect((await mine()).map(({ programId }) => programId)).toEqual([second._id, first._id])
    expect((await mine('student-2')).map(({ programId }) => programId)).toEqual([first._id])
  })

  test('[G-46] is rejected for a user who is not a learner', async () => {
    const { _id: id } = await create()
    const refusal = { status: 403, code: 'forbidden', message: 'Only learners can enroll in programs' }
    expect(await portal.refuse(enrollInProgram, { as: 'admin', id })).toMatchObject(refusal)
    expect(await portal.refuse(enrollInProgram, { as: 'faculty', id })).toMatchObject(refusal)
    expect(await recordedEnrollments()).toEqual([])
  })

  test('in an unknown or deleted program is rejected', async () => {
    const unknown = [programIdOf(9), 'nope', "' OR 1=1 --"]
    const refusals = unknown.flatMap((id) =>
      [enrollInProgram, getMyProgram].map((route) => portal.refuse(route, { as, id })),
    )
    expect(await Promise.all(refusals)).toMatchObject(refusals.map(() => notFound))
    expect(await portal.recorded()).toEqual([])
    const { _id: id } = await create()
    await portal.call(removeProgram, { as: 'admin', id })
    expect(await portal.refuse(enrollInProgram, { as, id })).toMatchObject(notFound)
  })
})

describe('the programs of a learner', () => {
  test('[P-61] are shown with the enrollment and in their current version', async () => {
    const { _id: id } = await create()
    const enrollment = await enroll(id)
    const changed = await portal.call(updateProgram, { as: 'admin', id, body: { programName: 'Minor in ML' } })
    expect(await portal.call(getMyProgram, { as, id })).toEqual({
      success: true,
      data: { ...changed.data, enrollment: { ...enrollment, programName: 'Minor in ML' } },
    })
    expect(await mine()).toEqual([{ ...enrollment, programName: 'Minor in ML' }])
  })

  test('include only those in which the learner is enrolled', async () => {
    const { _id: id } = await create()
    await enroll(id)
    expect(await portal.refuse(getMyProgram, { as: 'student-2', id })).toMatchObject(notFound)
    expect(await mine('student-2')).toEqual([])
  })

  test('stay readable in their last version after deletion, with the time of deletion', async () => {
    const program = await create()
    const id = program._id
    const before = await enroll(id)
    await portal.call(removeProgram, { as: 'admin', id })
    const [enrollment] = await mine()
    expect(enrollment).toEqual({ ...before, withdrawnAt: enrollment?.withdrawnAt })
    expect(enrollment?.withdrawnAt).toEqual(expect.stringMatching(/^\d{4}-/))
    expect(await portal.call(getMyProgram, { as, id })).toEqual({ success: true, data: { ...program, enrollment } })
  })

  test('[P-93] are as they were after the program is restored', async () => {
    const { _id: id } = await create()
    await portal.call(enrollInProgram, { as: 'student-2', id })
    const before = await enroll(id)
    const read = await portal.call(getMyProgram, { as, id })
    await portal.call(removeProgram, { as: 'admin', id })
    await portal.call(restoreProgram, { as: 'admin', id })
    expect(await mine()).toEqual([before])
    expect(await mine('student-2')).toMatchObject([{ programId: id, withdrawnAt: null }])
    expect(await portal.call(getMyProgram, { as, id })).toEqual(read)
    expect(await recordedEnrollments()).toHaveLength(2)
  })

  test('return the existing enrollment when the learner enrolls again after deletion', async () => {
    const { _id: id } = await create()
    await enroll(id)
    await portal.call(removeProgram, { as: 'admin', id })
    expect(await enroll(id)).toEqual((await mine())[0])
    expect(await recordedEnrollments()).toHaveLength(1)
  })
})
