import {
  confirmPayments,
  enrollLearners,
  type LearnerRow,
  moveLearners,
  reinstateLearners,
  revertPayments,
  setSemester,
  withdrawLearners,
} from '@portal/contracts/catalog/learners'
import {
  createProgram,
  enrollInProgram,
  getMyProgram,
  listMyPrograms,
  removeProgram,
} from '@portal/contracts/catalog/http'
import type { FoundContact } from '@portal/contracts/notifications/audience-contacts'
import { ok, rejected } from '@portal/platform/decider/decider'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerId, type Harness, otherLearnerId, startHarness } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'

const learner = (contact: string, userId = callerId): FoundContact => ({
  contact,
  person: { userId, fullName: `Learner ${contact}`, role: 'student', isDeactivated: false },
})
const known: Readonly<Record<string, FoundContact>> = {
  asha: learner('asha'),
  'MIN-1': learner('MIN-1'),
  ben: learner('ben', otherLearnerId),
  admin: {
    contact: 'admin',
    person: {
      userId: userIdSchema.parse(`01980000-0000-7000-8000-000000000007`),
      fullName: 'Admin',
      role: 'admin',
      isDeactivated: false,
    },
  },
  gone: {
    contact: 'gone',
    person: {
      userId: userIdSchema.parse(`01980000-0000-7000-8000-000000000008`),
      fullName: 'Gone',
      role: 'student',
      isDeactivated: true,
    },
  },
}

let portal: Harness
let isIndexAvailable: boolean
let id: string
beforeEach(async () => {
  isIndexAvailable = true
  portal = await startHarness({
    processes: 2,
    contacts: {
      find: async (contacts) =>
        isIndexAvailable ? ok(contacts.map((contact) => known[contact] ?? { contact })) : rejected('unavailable'),
    },
  })
  id = await create('Minor in AI')
})
afterEach(() => portal.stop())

const as = 'admin'
const create = async (programName: string, more: object = {}) =>
  (await portal.call(createProgram, { as, body: { programName, ...more } })).data._id
const enrollBoth = async (program = id) => {
  await portal.call(enrollInProgram, { as: 'student', id: program })
  await portal.call(enrollInProgram, { as: 'student-2', id: program })
}
const mine = async () => (await portal.call(listMyPrograms, { as: 'student' })).programs
const fatesOf = ({ rows }: { readonly rows: readonly LearnerRow[] }) => rows.map(({ fate }) => fate)
const payment = { amount: 1_500_000, paidOn: '2026-11-20' }
const both = [callerId, otherLearnerId]
const recordedTypes = async () => (await portal.recorded()).map(({ type }) => type)

describe('confirming payments', () => {
  test('of marked learners shows each what they have paid, at once', async () => {
    await enrollBoth()
    const answer = await portal.call(confirmPayments, { as, id, body: { userIds: both, ...payment } })
    expect(answer).toMatchObject({ success: true, message: '2 payments confirmed', changed: 2 })
    expect(answer.rows).toEqual(both.map((userId) => ({ userId, fate: 'confirmed' })))
    const feeAccount = { installmentsPaise: [1_500_000, 1_500_000, 1_500_000], paidPaise: 1_500_000 }
    expect(await mine()).toMatchObject([{ paymentStatus: 'Pending', feeAccount }])
    await portal.call(confirmPayments, { as, id, body: { userIds: [callerId], ...payment, amount: 3_000_000 } })
    expect(await mine()).toMatchObject([{ paymentStatus: 'Completed', feeAccount: { paidPaise: 4_500_000 } }])
    const program = await portal.call(getMyProgram, { as: 'student', id })
    expect(program.data.enrollment).toMatchObject({ paymentStatus: 'Completed', withdrawnAt: null })
  })

  test('of a list gives each row its fate, first in a preview that records nothing', async () => {
    await enrollBoth()
    const other = await create('Minor in DS')
    await portal.call(enrollInProgram, { as: 'student', id: other })
    const contacts = ['asha', { contact: 'ben', amount: 1, reference: 'UTR 1' }, 'MIN-1', 'nobody', 'admin', 'gone']
    const body = { contacts, ...payment, reference: 'UTR 2' }
    const before = await recordedTypes()
    const preview = await portal.call(confirmPayments, { as, id, body: { ...body, dryRun: true } })
    expect(await recordedTypes()).toEqual(before)
    const done = await portal.call(confirmPayments, { as, id, body })
    expect(done.rows).toEqual(preview.rows)
    expect(done.rows).toEqual([
      { userId: callerId, contact: 'asha', fullName: 'Learner asha', fate: 'confirmed' },
      { userId: otherLearnerId, contact: 'ben', fullName: 'Learner ben', fate: 'amount-differs', duePaise: 1_500_000 },
      { userId: callerId, contact: 'MIN-1', fullName: 'Learner MIN-1', fate: 'repeated' },
      { contact: 'nobody', fate: 'unknown' },
      {
        userId: userIdSchema.parse(`01980000-0000-7000-8000-000000000007`),
        contact: 'admin',
        fullName: 'Admin',
        fate: 'not-a-learner',
      },
      {
        userId: userIdSchema.parse(`01980000-0000-7000-8000-000000000008`),
        contact: 'gone',
        fullName: 'Gone',
        fate: 'deactivated',
      },
    ])
    const again = await portal.call(confirmPayments, {
      as,
      id,
      body: { contacts: ['asha'], ...payment, reference: 'utr 2' },
    })
    expect(fatesOf(again)).toEqual(['already-paid'])
    const elsewhere = await portal.call(confirmPayments, { as, id: other, body: { contacts: ['ben'], ...payment } })
    expect(fatesOf(elsewhere)).toEqual(['other-program'])
  })

  test('of a list can be several of one learner, in the order of their days, and are undone together', async () => {
    await enrollBoth()
    const on = (day: number, more: object = {}) => ({ contact: 'asha', paidOn: `2026-11-${day}`, ...more })
    const contacts = [
      on(20, { reference: 'UTR 2', amount: 3_000_000 }),
      on(19),
      { ...on(19), contact: 'MIN-1' },
      on(18, { reference: 'utr 2' }),
      on(21, { reference: 'UTR 3' }),
    ]
    const body = { contacts, ...payment, notify: true }
    const preview = await portal.call(confirmPayments, { as, id, body: { ...body, dryRun: true } })
    expect(preview.message).toBe('Preview: 2 payments confirmed, 3 not changed')
    expect(await recordedTypes()).not.toContain('PaymentConfirmed')
    const done = await portal.call(confirmPayments, { as, id, key: 'key-1', body })
    expect(fatesOf(done)).toEqual(['confirmed', 'confirmed', 'repeated', 'repeated', 'already-paid'])
    expect(done.rows).toEqual(preview.rows)
    expect(done.message).toBe('2 payments confirmed, 3 not changed')
    expect(await mine()).toMatchObject([{ paymentStatus: 'Completed', feeAccount: { paidPaise: 4_500_000 } }])
    const ids = (await portal.recorded()).flatMap(({ data }) => Object(data).payment?.paymentId ?? [])
    // Each has a notice of its own.
    expect(new Set(ids).size).toBe(2)

    const again = await portal.call(confirmPayments, { as, id, key: 'key-1', body })
    expect(again).toEqual(done)
    expect((await recordedTypes()).filter((type) => type === 'PaymentConfirmed')).toHaveLength(2)
    const undo = { userIds: [callerId], reason: 'Undone', paymentId: done.paymentId }
    for (let times = 0; times < 2; times++)
      expect(fatesOf(await portal.call(revertPayments, { as, id, body: undo }))).toEqual(['reverted'])
    expect(await mine()).toMatchObject([{ paymentStatus: 'Pending' }])
    expect((await mine())[0]).not.toHaveProperty('feeAccount')
  })

  test('of a list that is confirmed again are repeats, unless the admin says that they are not', async () => {
    await enrollBoth()
    const confirm = (more: object = {}) =>
      portal.call(confirmPayments, { as, id, body: { contacts: ['asha'], ...payment, ...more } })
    expect(fatesOf(await confirm({ leaveOutRepeats: true }))).toEqual(['confirmed'])
    for (const dryRun of [true, false])
      expect(fatesOf(await confirm({ leaveOutRepeats: true, dryRun }))).toEqual(['repeated'])
    expect(await mine()).toMatchObject([{ feeAccount: { paidPaise: 1_500_000 } }])
    expect(fatesOf(await confirm())).toEqual(['confirmed'])
    expect(await mine()).toMatchObject([{ feeAccount: { paidPaise: 3_000_000 } }])
  })

  test('of a list names the row that has no contact, or a wrong amount', async () => {
    const text = 'Each row needs an e-mail address or a student code'
    const errorsOf = async (row: unknown) =>
      (await portal.refuse(confirmPayments, { as, id, body: { contacts: ['asha', row], ...payment } })).errors
    for (const row of ['', ' ', 5, null, {}]) expect(await errorsOf(row)).toEqual({ 'contacts.1': text })
    expect(await errorsOf({ contact: '' })).toEqual({ 'contacts.1.contact': text })
    const wrongAmount = { 'contacts.1.amount': 'Amount must be a whole number of paise, at least 1' }
    expect(await errorsOf({ contact: 'asha', amount: -1 })).toEqual(wrongAmount)
    const enrolling = await portal.refuse(enrollLearners, { as, id, body: { contacts: ['asha', ''] } })
    expect(enrolling.errors).toEqual({ 'contacts.1': text })
  })

  test('names the admin, and keeps reference and reason out of the log', async () => {
    await enrollBoth()
    const body = { userIds: [callerId], ...payment, reference: 'UTR-4711 of Asha' }
    await portal.call(confirmPayments, { as, id, body })
    await portal.call(revertPayments, { as, id, body: { userIds: [callerId], reason: 'Cheque of Asha bounced' } })
    const events = (await portal.recorded()).filter(({ type }) => type.startsWith('Payment'))
    expect(events.map(({ type, actorId }) => [type, actorId])).toEqual([
      ['PaymentConfirmed', callerId],
      ['PaymentsReverted', callerId],
    ])
    expect(JSON.stringify(await portal.recorded())).not.toContain('Asha')
    expect(portal.securityLog.events.at(-1)).toMatchObject({ event: 'learners-changed', result: 'ok', target: id })
  })

  test('is done once per key, and undone by its payment only', async () => {
    await enrollBoth()
    const confirm = (key: string) =>
      portal.call(confirmPayments, { as, id, key, body: { userIds: [callerId], ...payment } })
    const [first, repeated] = [await confirm('key-1'), await confirm('key-1')]
    expect(repeated.paymentId).toBe(first.paymentId)
    await confirm('key-2')
    expect(await mine()).toMatchObject([{ feeAccount: { paidPaise: 3_000_000 } }])
    const { paymentId } = first
    const body = { userIds: both, reason: 'Undone', paymentId }
    const undone = await portal.call(revertPayments, { as, id, body })
    expect(fatesOf(undone)).toEqual(['reverted', 'nothing-paid'])
    expect(await mine()).toMatchObject([{ paymentStatus: 'Pending', feeAccount: { paidPaise: 1_500_000 } }])
  })

  test('by two admins at once succeeds once', async () => {
    await enrollBoth()
    const confirm = () =>
      portal.call(confirmPayments, { as, id, body: { userIds: both, ...payment, amount: 4_500_000 } })
    const answers = await Promise.all([confirm(), confirm()])
    expect(answers.flatMap(fatesOf).toSorted()).toEqual(['already-paid', 'already-paid', 'confirmed', 'confirmed'])
    expect((await recordedTypes()).filter((type) => type === 'PaymentConfirmed')).toHaveLength(2)
  })

  test('rejects what it cannot take, and names the row', async () => {
    const userIds = [callerId]
    const rows = [
      [{ userIds, ...payment, amount: 0.5 }, 'Amount must be a whole number of paise, at least 1'],
      [{ userIds, ...payment, paidOn: '28.11.2026' }, 'Date must be a day such as 2026-11-28'],
      [{ userIds, ...payment, paidOn: '0026-11-28' }, 'Date must be a day such as 2026-11-28'],
      [{ userIds, ...payment, paidOn: '2999-01-01' }, 'The payment date is in the future'],
      [{ ...payment }, 'Please give either userIds or contacts'],
      [{ userIds, contacts: ['asha'], ...payment }, 'Please give either userIds or contacts'],
      [{ userIds: [], ...payment }, 'Please select at least one learner'],
    ] as const
    expect(await portal.refusals(confirmPayments, rows, { as, id })).toEqual(rows)
    const contacts = ['asha', { contact: 'ben', paidOn: '2999-01-01' }]
    expect(await portal.refuse(confirmPayments, { as, id, body: { contacts, ...payment } })).toMatchObject({
      status: 400,
      errors: { 'contacts.1.paidOn': 'The payment date is in the future' },
    })
    expect(
      await portal.refuse(confirmPayments, { as, id: programIdOf(9), body: { userIds, ...payment } }),
    ).toMatchObject({ status: 404, message: 'Program not found' })
  })

  test('says that people cannot be looked up, and changes nothing', async () => {
    isIndexAvailable = false
    expect(await portal.refuse(confirmPayments, { as, id, body: { contacts: ['asha'], ...payment } })).toMatchObject({
      status: 503,
      message: 'The list of people is not available right now. Please try again in a moment.',
    })
  })
})

describe('enrolling by list', () => {
  test('enrolls those who have an account, once', async () => {
    const body = { contacts: ['asha', 'MIN-1', 'ben', 'nobody', 'gone'] }
    const preview = await portal.call(enrollLearners, { as, id, body: { ...body, dryRun: true } })
    expect(await mine()).toEqual([])
    const done = await portal.call(enrollLearners, { as, id, body })
    expect(fatesOf(done)).toEqual(['enrolled', 'repeated', 'enrolled', 'unknown', 'deactivated'])
    expect(done.message).toBe('2 learners enrolled, 3 not changed')
    expect(done.rows).toEqual(preview.rows)
    expect(await mine()).toMatchObject([{ programId: id, paymentStatus: 'Pending' }])
    expect(fatesOf(await portal.call(enrollLearners, { as, id, body: { contacts: ['asha'] } }))).toEqual([
      'already-enrolled',
    ])
  })
})

describe('a withdrawal', () => {
  test('takes the program off the list, and can be undone: it is back in its place', async () => {
    await enrollBoth()
    await portal.call(confirmPayments, { as, id, body: { userIds: [callerId], ...payment } })
    await portal.call(enrollInProgram, { as: 'student', id: await create('Minor in DS') })
    const before = await mine()
    const body = { userIds: [callerId], reason: 'Left' }
    expect(fatesOf(await portal.call(withdrawLearners, { as, id, body }))).toEqual(['withdrawn'])
    expect((await mine()).map(({ programName }) => programName)).toEqual(['Minor in DS'])
    expect(fatesOf(await portal.call(reinstateLearners, { as, id, body }))).toEqual(['reinstated'])
    expect(await mine()).toEqual(before)
  })

  test('is undone with its payments, although the learner has enrolled again', async () => {
    await enrollBoth()
    await portal.call(confirmPayments, { as, id, body: { userIds: [callerId], ...payment } })
    const before = await mine()
    const body = { userIds: [callerId], reason: 'Left' }
    await portal.call(withdrawLearners, { as, id, body })
    await portal.call(enrollInProgram, { as: 'student', id })
    expect(fatesOf(await portal.call(reinstateLearners, { as, id, body }))).toEqual(['reinstated'])
    expect(await mine()).toEqual(before)
  })

  test('lets the learner enroll again, with another record', async () => {
    await enrollBoth()
    for (let times = 0; times < 2; times++) {
      await portal.call(withdrawLearners, { as, id, body: { userIds: [callerId], reason: 'Left' } })
      await portal.call(enrollInProgram, { as: 'student', id })
      expect(await mine()).toMatchObject([{ programId: id, paymentStatus: 'Pending' }])
    }
    expect((await recordedTypes()).filter((type) => type === 'LearnerEnrolled')).toHaveLength(4)
  })
})

describe('of two admins at once, one succeeds and the other sees it,', () => {
  test('when they enroll the same people', async () => {
    const enrollAsha = () => portal.call(enrollLearners, { as, id, body: { contacts: ['asha'] } })
    const answers = await Promise.all([enrollAsha(), enrollAsha()])
    expect(answers.flatMap(fatesOf).toSorted()).toEqual(['already-enrolled', 'enrolled'])
  })

  test('when they set the same semester', async () => {
    await enrollBoth()
    const set = () => portal.call(setSemester, { as, id, body: { userIds: [callerId], semester: 2 } })
    const answers = await Promise.all([set(), set()])
    expect(answers.flatMap(fatesOf).toSorted()).toEqual(['same-semester', 'semester-set'])
  })
})

describe('a move', () => {
  test('shows the learner the other program, with what they have paid', async () => {
    await enrollBoth()
    const other = await create('Minor in DS', { fee: '₹30,000' })
    await portal.call(confirmPayments, { as, id, body: { userIds: [callerId], ...payment } })
    const body = { userIds: [callerId], toProgramId: other }
    expect(fatesOf(await portal.call(moveLearners, { as, id, body }))).toEqual(['moved'])
    expect(await mine()).toMatchObject([
      {
        programId: other,
        programName: 'Minor in DS',
        paymentStatus: 'Pending',
        feeAccount: { installmentsPaise: [1_000_000, 1_000_000, 1_000_000], paidPaise: 1_500_000 },
      },
    ])
    expect(fatesOf(await portal.call(moveLearners, { as, id, body }))).toEqual(['other-program'])
  })

  test('needs another program that exists', async () => {
    const move = (toProgramId: string) =>
      portal.refuse(moveLearners, { as, id, body: { userIds: [callerId], toProgramId } })
    expect(await move(id)).toMatchObject({ status: 409, message: 'The learners are already in this program' })
    expect(await move(programIdOf(9))).toMatchObject({ status: 404 })
  })
})

test('a semester is set, if the program has it', async () => {
  await enrollBoth()
  const set = (semester: number) => ({ as, id, body: { userIds: both, semester } }) as const
  expect(fatesOf(await portal.call(setSemester, set(2)))).toEqual(['semester-set', 'semester-set'])
  expect(await mine()).toMatchObject([{ currentSemester: 'Semester 2' }])
  expect(await portal.refuse(setSemester, set(4))).toMatchObject({
    status: 400,
    message: 'The program does not have this semester',
  })
})

test('all of it is for admins, and for programs that exist', async () => {
  const body = { userIds: [callerId], reason: 'x', semester: 1, contacts: ['asha'], toProgramId: programIdOf(2) }
  for (const route of [
    enrollLearners,
    withdrawLearners,
    reinstateLearners,
    moveLearners,
    setSemester,
    revertPayments,
  ]) {
    expect(await portal.refuse(route, { as: 'student', id, body })).toMatchObject({ status: 403 })
    expect(await portal.refuse(route, { as: 'faculty', id, body })).toMatchObject({ status: 403 })
    if (route === moveLearners) continue
    expect(await portal.refuse(route, { as, id: programIdOf(9), body })).toMatchObject({ status: 404 })
  }
  await portal.call(removeProgram, { as, id })
  expect(await portal.refuse(setSemester, { as, id, body })).toMatchObject({ status: 404 })
})

test('a rebuild gives the same lists', async () => {
  await enrollBoth()
  const other = await create('Minor in DS')
  await portal.call(confirmPayments, { as, id, body: { userIds: both, ...payment } })
  await portal.call(moveLearners, { as, id, body: { userIds: [callerId], toProgramId: other } })
  await portal.call(withdrawLearners, { as, id, body: { userIds: [otherLearnerId], reason: 'Left' } })
  const { serving, rebuilt } = await portal.digests()
  expect(rebuilt).toEqual(serving)
})
