import { firstSemester, semesterName } from '@portal/contracts/catalog/enrollment'
import {
  isPaidInFull,
  installmentsOf,
  openInstallments,
  paysInstallments,
} from '@portal/contracts/catalog/installments'
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
  type LearnerInvitation,
  listLearnerInvitations,
  withdrawLearnerInvitations,
} from '@portal/contracts/catalog/learner-invitations'
import type { Program } from '@portal/contracts/catalog/program'
import { listLearners, type ListedLearner } from '@portal/contracts/notifications/learners'
import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import { learnerInvitationIdSchema, userIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { paginationOf } from '@portal/contracts/shared/page'
import { email as emailSchema } from '@portal/contracts/shared/rules'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../../../lib/search-text.ts'
import { isChange } from '../fates.ts'
import { ok } from '../../../../../testing/fake-portal.ts'
import type { FakeServer } from '../../../../../testing/fake-server.ts'

export const learnerIdOf = (n: number): UserId =>
  userIdSchema.parse(`01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)

export const aLearner = (n: number, fullName: string, facts: Partial<ListedLearner> = {}): ListedLearner => ({
  userId: learnerIdOf(n),
  fullName,
  personalEmail: `${fullName.toLowerCase().replaceAll(' ', '.')}@example.com`,
  universityName: 'Hill University',
  studentCode: `MIN-2026-${String(n).padStart(8, '0')}`,
  state: 'active',
  currentSemester: firstSemester,
  paymentStatus: 'Pending',
  enrolledAt: new Date(Date.UTC(2026, 0, n)).toISOString(),
  ...facts,
})

export const anInvitation = (n: number, email: string, facts: Partial<LearnerInvitation> = {}): LearnerInvitation => ({
  _id: learnerInvitationIdSchema.parse(`01890000-0000-7000-9000-${String(n).padStart(12, '0')}`),
  email,
  invitedAt: '2026-01-05T10:00:00.000Z',
  invitedBy: 'Ananya Iyer',
  expiresAt: '2026-02-04T10:00:00.000Z',
  ...facts,
})

type Stated = { readonly amount: number; readonly paidOn: string; readonly reference: string }
type Payments = readonly { readonly id: string; readonly paise: number }[]
type Enrolled = { readonly learner: ListedLearner; readonly payments: Payments }

type World = {
  readonly programs: readonly Program[]
  /** Everyone with an account. Those of the first program are enrolled in it. */
  readonly learners: readonly ListedLearner[]
  readonly others?: readonly ListedLearner[]
  /** To the first program, the newest first. */
  readonly invited?: readonly LearnerInvitation[]
}

/** The learners of the first of some programs, as the server has them. */
export const serveLearners = (server: FakeServer, { programs, learners, others = [], invited = [] }: World) => {
  const people = [...learners, ...others]
  const state = new Map<string, Map<UserId, Enrolled>>(programs.map(({ _id }) => [_id, new Map()]))
  const withdrawn = new Map<UserId, Enrolled>()
  const [first] = programs
  const inProgram = (id: string) => state.get(id) ?? new Map<UserId, Enrolled>()
  for (const learner of learners) if (first) inProgram(first._id).set(learner.userId, { learner, payments: [] })
  let requests = 0
  let invitations = invited

  const idOf = (contact: string) =>
    people.find(({ personalEmail, studentCode }) => [personalEmail, studentCode].includes(contact))

  const answer = (rows: readonly LearnerRow[], more: object = {}) => {
    const changed = rows.filter(({ fate }) => isChange(fate)).length
    return ok({ changed, rows, ...more })
  }

  for (const program of programs) {
    const { _id: id } = program
    const call = (verb: string) => `POST /admin/programs/${id}/${verb}`
    const enrolled = inProgram(id)
    const missing = (userId: UserId): LearnerRow['fate'] =>
      [...state.values()].some((members) => members.has(userId)) ? 'other-program' : 'not-enrolled'
    const withPayments = ({ learner }: Enrolled, payments: Payments): Enrolled => {
      const paidPaise = payments.reduce((total, { paise }) => total + paise, 0)
      const feeAccount = { installmentsPaise: installmentsOf(program), paidPaise }
      const paymentStatus = isPaidInFull(feeAccount) ? 'Completed' : 'Pending'
      return { learner: { ...learner, feeAccount, paymentStatus }, payments }
    }
    const each = (userIds: readonly UserId[], run: (one: Enrolled) => LearnerRow): readonly LearnerRow[] =>
      userIds.map((userId) => {
        const one = enrolled.get(userId)
        return one ? run(one) : { userId, fate: missing(userId) }
      })

    server.on(`GET /programs/${id}`, () => ok({ data: program }))
    server.on(`GET /admin/programs/${id}/learners`, ({ query: given }) => {
      const query = listLearners.query.parse(Object.fromEntries(given))
      const all = [...enrolled.values()].map(({ learner }) => learner)
      const found = all
        .filter(
          ({ fullName, personalEmail, studentCode, paymentStatus, currentSemester }) =>
            matchesAllWords(normalizeText(`${fullName} ${personalEmail} ${studentCode}`), query.q ?? '') &&
            (query.paymentStatus === undefined || query.paymentStatus === paymentStatus) &&
            (query.semester === undefined || semesterName(query.semester) === currentSemester),
        )
        .toSorted((a, b) => (a.fullName < b.fullName ? -1 : 1))
      const sorted = query.sort.startsWith('-') ? found.toReversed() : found
      const { page, limit } = query
      return ok({
        learners: sorted.slice((page - 1) * limit, page * limit),
        pagination: paginationOf({ page, limit }, found.length),
        counts: {
          all: all.length,
          pending: all.filter(({ paymentStatus }) => paymentStatus === 'Pending').length,
          completed: all.filter(({ paymentStatus }) => paymentStatus === 'Completed').length,
        },
      })
    })
    server.on(call('payments'), ({ body }) => {
      const given = confirmPayments.body.parse(body)
      requests += 1
      const paymentId = `payment-${requests}`
      const seen = new Set<string>()
      const before = new Map(enrolled)
      const pay = (userId: UserId, stated: Stated, row: Partial<LearnerRow>): LearnerRow => {
        const one = enrolled.get(userId)
        const { amount: paise, paidOn, reference } = stated
        const key = `${userId} ${reference || `${paidOn} ${paise}`}`
        if (seen.has(key)) return { ...row, userId, fate: 'repeated' }
        seen.add(key)
        if (!one) return { ...row, userId, fate: missing(userId) }
        if (one.learner.paymentStatus === 'Completed') return { ...row, userId, fate: 'already-paid' }
        const account = withPayments(one, one.payments).learner.feeAccount ?? { installmentsPaise: [], paidPaise: 0 }
        const duePaise = openInstallments(account)[0]?.openPaise
        if (!paysInstallments(account, paise))
          return { ...row, userId, fate: 'amount-differs', ...(duePaise !== undefined && { duePaise }) }
        enrolled.set(userId, withPayments(one, [...one.payments, { id: paymentId, paise }]))
        return { ...row, userId, fate: 'confirmed' }
      }
      const rows = [
        ...(given.userIds ?? []).map((userId) => pay(userId, given, {})),
        ...(given.contacts ?? []).map((row): LearnerRow => {
          const { contact, ...stated } = typeof row === 'string' ? { contact: row } : row
          const { amount = given.amount, paidOn = given.paidOn, reference = given.reference } = stated
          const person = idOf(contact)
          return person
            ? pay(person.userId, { amount, paidOn, reference }, { contact, fullName: person.fullName })
            : { contact, fate: 'unknown' }
        }),
      ]
      if (given.dryRun) for (const [userId, one] of before) enrolled.set(userId, one)
      return answer(rows, { paymentId })
    })
    server.on(call('payments/revert'), ({ body }) => {
      const { userIds, paymentId, dryRun } = revertPayments.body.parse(body)
      return answer(
        each(userIds, (one) => {
          const rest = paymentId === undefined ? [] : one.payments.filter((payment) => payment.id !== paymentId)
          if (rest.length === one.payments.length && one.learner.paymentStatus === 'Pending')
            return { userId: one.learner.userId, fate: 'nothing-paid' }
          if (!dryRun) enrolled.set(one.learner.userId, withPayments(one, rest))
          return { userId: one.learner.userId, fate: 'reverted' }
        }),
      )
    })
    server.on(call('enroll'), ({ body }) => {
      const { contacts, dryRun } = enrollLearners.body.parse(body)
      const seen = new Set<UserId>()
      return answer(
        contacts.map((contact): LearnerRow => {
          const person = idOf(contact)
          if (!person) {
            if (!emailSchema.safeParse(contact).success) return { contact, fate: 'unknown' }
            if (invitations.some(({ email }) => email === contact)) return { contact, fate: 'already-invited' }
            if (dryRun) return { contact, fate: 'invited' }
            const invitation = anInvitation(900 + invitations.length, contact)
            invitations = [invitation, ...invitations]
            return { contact, invitationId: invitation._id, fate: 'invited' }
          }
          const { userId, fullName } = person
          if (seen.has(userId)) return { userId, fullName, contact, fate: 'repeated' }
          seen.add(userId)
          if (person.state === 'deactivated') return { userId, fullName, contact, fate: 'deactivated' }
          if (enrolled.has(userId)) return { userId, fullName, contact, fate: 'already-enrolled' }
          if (!dryRun) enrolled.set(userId, { learner: { ...person, enrolledBy: 'Ananya Iyer' }, payments: [] })
          return { userId, fullName, contact, fate: 'enrolled' }
        }),
      )
    })
    server.on(`GET /admin/programs/${id}/invitations`, ({ query }) => {
      const { page, limit } = listLearnerInvitations.query.parse(Object.fromEntries(query))
      const all = program === first ? invitations : []
      return ok({
        invitations: all.slice((page - 1) * limit, page * limit),
        pagination: paginationOf({ page, limit }, all.length),
      })
    })
    server.on(call('invitations/resend'), () => ok({ changed: 1 }))
    server.on(call('invitations/withdraw'), ({ body }) => {
      const { invitationIds } = withdrawLearnerInvitations.body.parse(body)
      invitations = invitations.filter(({ _id }) => !invitationIds.includes(_id))
      return ok({ changed: invitationIds.length })
    })
    server.on(call('withdraw'), ({ body }) => {
      const { userIds } = withdrawLearners.body.parse(body)
      return answer(
        each(userIds, (one) => {
          enrolled.delete(one.learner.userId)
          withdrawn.set(one.learner.userId, one)
          return { userId: one.learner.userId, fate: 'withdrawn' }
        }),
      )
    })
    server.on(call('reinstate'), ({ body }) => {
      const { userIds } = reinstateLearners.body.parse(body)
      return answer(
        userIds.map((userId): LearnerRow => {
          const one = withdrawn.get(userId)
          if (one) enrolled.set(userId, one)
          return { userId, fate: one ? 'reinstated' : 'not-enrolled' }
        }),
      )
    })
    server.on(call('move'), ({ body }) => {
      const { userIds, toProgramId, dryRun } = moveLearners.body.parse(body)
      return answer(
        each(userIds, (one) => {
          if (inProgram(toProgramId).has(one.learner.userId))
            return { userId: one.learner.userId, fate: 'already-enrolled' }
          if (!dryRun) {
            enrolled.delete(one.learner.userId)
            inProgram(toProgramId).set(one.learner.userId, one)
          }
          return { userId: one.learner.userId, fate: 'moved' }
        }),
      )
    })
    server.on(call('semester'), ({ body }) => {
      const { userIds, semester } = setSemester.body.parse(body)
      return answer(
        each(userIds, (one) => {
          enrolled.set(one.learner.userId, {
            ...one,
            learner: { ...one.learner, currentSemester: semesterName(semester) },
          })
          return { userId: one.learner.userId, fate: 'semester-set' }
        }),
      )
    })
  }
  server.on('GET /admin/programs', () => ok({ data: programs }))
  server.on('GET /user/preferences', () => ok({ preferences: defaultPreferences, emailAvailable: true }))

  return {
    /** Another admin changes a learner of the first program, or removes one. */
    set: (userId: UserId, change: Partial<ListedLearner> | null) => {
      const members = inProgram(first?._id ?? '')
      const one = members.get(userId)
      if (one && change) members.set(userId, { ...one, learner: { ...one.learner, ...change } })
      else members.delete(userId)
    },
  }
}
