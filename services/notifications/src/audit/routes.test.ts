import { exportAudit, listAudit } from '@portal/contracts/notifications/audit'
import { cancelNotification, recallNotification, sendNotification } from '@portal/contracts/notifications/http'
import { type UserId, universityIdSchema } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { enrollmentOf, programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { userIdAt } from '@portal/notifications/testing/samples'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { appendOperation } from '@portal/platform/operations/operation'
import { nextMillisecond } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let portal: Harness
let admin: Person
let ada: Person
let ben: Person
beforeEach(async () => {
  portal = await startHarness()
  ;({ admin, ada, ben } = await portal.cast())
})
afterEach(() => portal.stop())

/** Records what another context records, with its actor. */
const record = async (stream: string, actorId: UserId | undefined, type: string, data: object): Promise<void> => {
  await nextMillisecond()
  const metadata = { correlationId: 'request-1', ...(actorId && { actorId }) }
  await portal.context.eventStore.append(stream, 'any', [{ id: systemClockAndIds.newId(), type, data, metadata }])
  await portal.untilProjected()
}
const rows = async (query: Readonly<Record<string, string>> = {}) =>
  (await portal.call(listAudit, { as: admin, query })).rows
const said = async (query: Readonly<Record<string, string>> = {}) => (await rows(query)).map(({ says }) => says)

describe('who did what', () => {
  it('lists what admins did with programs and universities, newest first, and leads to what still exists', async () => {
    const universityId = universityIdSchema.parse(userIdAt(70))
    const { userId } = admin
    const save = (n: number, name: string) => record('catalog-all', userId, 'ProgramSaved', savedProgram(n, name).data)
    await record('catalog-all', undefined, 'ProgramSaved', savedProgram(2, 'Sample').data)
    await save(1, 'Data Science')
    await save(1, 'Data')
    const removed = { programId: programIdAt(1), removedAt: '2026-11-21T10:00:00.000Z' }
    await record('catalog-all', userId, 'ProgramRemoved', removed)
    await record('catalog-all', userId, 'UniversityAdded', { universityId, name: 'East' })
    await record('catalog-all', userId, 'UniversityRenamed', { universityId, name: 'West' })
    await record('catalog-all', userId, 'UniversityRemoved', { universityId })
    expect(await said()).toEqual([
      'Learner 0 removed the university West',
      'Learner 0 renamed the university East to West',
      'Learner 0 added the university East',
      'Learner 0 removed the program Data',
      'Learner 0 changed the program Data',
      'Learner 0 created the program Data Science',
    ])
    expect((await rows({ kind: 'programs' })).map(({ object }) => object)).toEqual([undefined, undefined, undefined])
    await save(1, 'Data Science')
    const [restored] = await rows()
    expect(restored).toMatchObject({
      kind: 'programs',
      says: 'Learner 0 restored the program Data Science',
      object: { kind: 'program', id: programIdAt(1) },
      requestId: 'request-1',
    })
  })

  it('lists what admins did with learners, who are not listed for enrolling by themselves', async () => {
    const { userId } = ada
    const save = (n: number, name: string) =>
      record('catalog-all', undefined, 'ProgramSaved', savedProgram(n, name).data)
    await save(1, 'AI')
    await save(2, 'Data')
    const act = (type: string, data: object, by = admin) => record('catalog-all', by.userId, type, { userId, ...data })
    const enrollment = { ...enrollmentOf(1, userId), programName: 'AI' }
    await act('LearnerEnrolled', enrollment, ada)
    await record('catalog-all', undefined, 'LearnerEnrolled', enrollmentOf(2, ben.userId))
    expect(await rows({ kind: 'enrollments' })).toEqual([])

    await act('LearnerEnrolled', enrollment)
    const { userId: _, ...kept } = { ...enrollment, currentSemester: 'Semester 3' }
    for (const change of ['payment-confirmed', 'payments-reverted', 'semester-changed', 'reinstated'])
      await act('EnrollmentChanged', { enrollment: kept, change })
    await act('EnrollmentEnded', { programId: programIdAt(1), change: 'withdrawn' })
    await act('EnrollmentEnded', { programId: programIdAt(1), change: 'moved' })
    await act('LearnerEnrolled', { ...enrollmentOf(2, userId), programName: 'Data', movedFrom: programIdAt(1) })
    expect(await said({ kind: 'enrollments' })).toEqual([
      'Learner 0 moved Learner 1 from AI to Data',
      'Learner 0 withdrew Learner 1 from AI',
      'Learner 0 reinstated Learner 1 in AI',
      'Learner 0 set the semester of Learner 1 in AI to 3',
      'Learner 0 set the payment of Learner 1 in AI back to pending',
      'Learner 0 confirmed a payment of Learner 1 in AI',
      'Learner 0 enrolled Learner 1 in AI',
    ])
    const [moved] = await rows({ who: userId })
    expect(moved).toMatchObject({ kind: 'enrollments', object: { kind: 'person', id: userId } })
    const removed = { programId: programIdAt(1), removedAt: '2026-11-21T10:00:00.000Z' }
    await record('catalog-all', undefined, 'ProgramRemoved', removed)
    expect((await said({ kind: 'enrollments' })).slice(0, 3)).toEqual([
      'Learner 0 moved Learner 1 from a deleted program to Data',
      'Learner 0 withdrew Learner 1 from a deleted program',
      'Learner 0 reinstated Learner 1 in AI',
    ])
  })

  it('shows admins what they typed about a person, until that person is erased', async () => {
    const { userId } = ada
    const { vault } = portal.context
    const encrypt = (text: string) => vault.encrypt(userId, text)
    const { userId: _, ...enrollment } = enrollmentOf(1, userId)
    const act = (stream: string, type: string, data: object) => record(stream, admin.userId, type, { userId, ...data })
    const confirmed = { enrollment, change: 'payment-confirmed', reference: await encrypt('UTR 17') }
    await act('catalog-all', 'EnrollmentChanged', confirmed)
    const reverted = { enrollment, change: 'payments-reverted', reason: await encrypt('Cheque bounced') }
    await act('catalog-all', 'EnrollmentChanged', reverted)
    const ended = { programId: programIdAt(1), change: 'withdrawn', reason: await encrypt('Left') }
    await act('catalog-all', 'EnrollmentEnded', ended)
    await act(`user-${userId}`, 'UserDeactivated', { reason: await encrypt('Asked for it') })
    // Of a release that did not publish the reason, and one that the vault cannot read.
    await act(`user-${userId}`, 'UserDeactivated', {})
    await act(`user-${userId}`, 'UserDeactivated', { reason: (await encrypt('x')).replace(/.$/, '!') })

    const typed = async () => (await rows({ who: userId })).map(({ reason, reference }) => reason ?? reference)
    expect(await typed()).toEqual([undefined, undefined, 'Asked for it', 'Left', 'Cheque bounced', 'UTR 17'])
    const file = async () => (await portal.inject(exportAudit, { as: admin, query: { who: userId } })).body
    expect(await file()).toContain('"Cheque bounced"')
    expect((await file()).trimEnd()).toMatch(/"UTR 17"$/)
    await vault.erase(userId)
    expect(await typed()).toEqual(Array.from({ length: 6 }, () => undefined))
    expect(await file()).not.toContain('UTR')
  })

  it('lists whom admins have invited, without addresses, and not how the invitations end', async () => {
    await record('catalog-all', undefined, 'ProgramSaved', savedProgram(1, 'AI').data)
    const ref = { invitationId: userIdAt(90), programId: programIdAt(1), emailIndex: 'index' }
    const sent = { ...ref, programName: 'AI', address: 'cipher', expiresAt: '2026-12-21T10:00:00.000Z' }
    const invitedBy = admin.userId
    const act = (type: string, data: object) => record('catalog-all', invitedBy, type, data)
    await act('LearnerInvited', { ...sent, invitedBy, invitedAt: '2026-11-21T10:00:00.000Z' })
    await act('LearnerInvitationResent', sent)
    await act('LearnerInvitationWithdrawn', ref)
    await record('catalog-all', undefined, 'LearnerInvitationAccepted', { ...ref, userId: ada.userId })
    await record('catalog-all', undefined, 'LearnerInvitationExpired', { ...ref, reason: 'expired' })
    expect(await said({ kind: 'enrollments' })).toEqual([
      'Learner 0 withdrew an invitation to AI',
      'Learner 0 sent an invitation to AI again',
      'Learner 0 invited someone by email to AI',
    ])
    expect((await rows({ kind: 'enrollments' }))[0]).toMatchObject({ object: { kind: 'program', id: programIdAt(1) } })
  })

  it('lists what admins did with notifications and accounts, and what operators did', async () => {
    const body = { userIds: [ada.userId], title: 'Fees', message: 'Are due', type: 'Exam' }
    const { notificationId: id } = await portal.call(sendNotification, { as: admin, body })
    await portal.call(cancelNotification, { as: admin, params: { id }, body: { reason: 'Wrong list' } })
    expect(await said({ kind: 'notifications' })).toEqual([
      'Learner 0 stopped the pending deliveries of the notification “Fees”',
      'Learner 0 sent the notification “Fees” to 1 person',
    ])
    await portal.call(recallNotification, { as: admin, params: { id }, body: {} })
    await portal.untilProjected()
    const [recalled, cancelled] = await rows()
    // A recalled text is shown nowhere.
    expect(recalled).toMatchObject({ says: 'Learner 0 recalled a notification', object: { kind: 'notification', id } })
    expect(cancelled).toMatchObject({ reason: 'Wrong list' })

    const { userId } = ada
    await record(`user-${userId}`, admin.userId, 'UserRoleChanged', { userId, role: 'faculty' })
    await record(`user-${userId}`, admin.userId, 'UserDeactivated', { userId })
    await record(`user-${userId}`, admin.userId, 'UserReactivated', { userId })
    // Changes of one's own profile are none of an admin's actions.
    await record(`user-${ben.userId}`, ben.userId, 'UserProfileChanged', { userId: ben.userId, profile: 'encrypted' })
    await record(`user-${userId}`, admin.userId, 'SecondFactorRemoved', { userId, by: 'admin' })
    await record(`user-${userId}`, userId, 'SecondFactorRemoved', { userId, by: 'owner' })
    await record(`user-${userId}`, admin.userId, 'UserSessionsEnded', { userId })
    const invited = userIdAt(60)
    const invitation = { userId: invited, role: 'faculty', emailIndex: 'index', profile: 'encrypted' }
    const expiresAt = '2026-12-21T10:00:00.000Z'
    await record(`user-${invited}`, admin.userId, 'InvitationSent', { ...invitation, expiresAt })
    await record(`user-${invited}`, admin.userId, 'InvitationWithdrawn', { userId: invited })
    const operationId = systemClockAndIds.newId()
    await nextMillisecond()
    await appendOperation(portal.context.eventStore, {
      id: operationId,
      operation: {
        type: 'AdminMade',
        data: { by: 'root', reason: 'ticket 12', what: { userId, account: 'existing', wasAdmin: false } },
      },
    })
    // Of a newer release.
    await record('operation-2', undefined, 'CacheCleared', { by: 'root', what: {} })
    await record('operation-3', undefined, 'Other', {})
    expect((await said()).slice(0, 9)).toEqual([
      'root ran CacheCleared',
      'root made Learner 1 an admin',
      'Learner 0 withdrew the invitation of someone',
      'Learner 0 invited someone as a faculty member',
      'Learner 0 signed Learner 1 out of all devices',
      'Learner 0 turned off the two-step verification of Learner 1',
      'Learner 0 reactivated the account of Learner 1',
      'Learner 0 deactivated the account of Learner 1',
      'Learner 0 made Learner 1 a faculty member',
    ])
    expect(await rows({ who: userId, kind: 'accounts' })).toHaveLength(6)
    expect(await rows({ who: admin.userId, kind: 'accounts' })).toHaveLength(7)
    expect(await rows({ who: userIdAt(99) })).toEqual([])

    await record(`user-${userId}`, admin.userId, 'UserErased', { userId, emailIndex: 'index' })
    const [deleted, , , , reactivated] = await rows({ who: userId })
    expect(deleted).toMatchObject({ says: 'Learner 0 deleted an account' })
    expect(deleted).not.toHaveProperty('object')
    expect(reactivated?.says).toBe('Learner 0 reactivated the account of Deleted account')
  })

  it('has pages of 50, also as a CSV file, whose export is recorded', async () => {
    const universities = Array.from({ length: 52 }, (_, n) => n)
    for (const n of universities) {
      const data = { universityId: userIdAt(100 + n), name: n === 51 ? '=1+1' : `Campus ${n}` }
      const events = [
        { id: systemClockAndIds.newId(), type: 'UniversityAdded', data, metadata: { actorId: admin.userId } },
      ]
      await portal.context.eventStore.append('catalog-all', 'any', events)
    }
    await portal.untilProjected()
    const first = await portal.call(listAudit, { as: admin })
    expect(first.rows).toHaveLength(50)
    expect(first.pagination).toEqual({ page: 1, limit: 50, total: 52, totalPages: 2 })
    expect((await portal.call(listAudit, { as: admin, query: { page: 2 } })).rows).toHaveLength(2)

    const file = await portal.inject(exportAudit, { as: admin, query: { kind: 'universities' } })
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="who-did-what.csv"',
    })
    const lines = file.body.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFF"Time (IST)","Who","Kind","What","Reason","Object id","Request id","Reference"')
    expect(lines[1]).toContain('"Learner 0","Universities","Learner 0 added the university =1+1"')
    expect(lines).toHaveLength(53)
    await portal.untilProjected()
    expect(await said({ kind: 'exports' })).toEqual(['Learner 0 exported 52 rows of this list'])
  })

  it('rejects a malformed filter', async () => {
    const refused = [
      [{ query: { who: 'ada' } }, 'The id is not valid'],
      [
        { query: { kind: 'tools' } },
        'kind must be one of programs, enrollments, universities, notifications, accounts, exports, operations',
      ],
      [{ query: { from: 'today' } }, 'from must be a day such as 2026-11-21'],
      [{ query: { to: '2026-13-01' } }, 'to must be a day such as 2026-11-21'],
      [{ query: { page: 0 } }, 'page must be a whole number from 1 to 1000000'],
    ] as const
    expect(await portal.refusals(listAudit, refused, { as: admin })).toEqual(refused)
    expect((await portal.inject(listAudit, { as: ada })).statusCode).toBe(403)
    expect((await portal.inject(exportAudit, { as: ada })).statusCode).toBe(403)
  })
})
