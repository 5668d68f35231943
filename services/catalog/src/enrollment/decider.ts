import type { EncryptedText } from '@portal/contracts/auth/events'
import { firstSemester } from '@portal/contracts/catalog/enrollment'
import {
  type FeeAccount,
  isPaidInFull,
  openInstallments,
  paysInstallments,
} from '@portal/contracts/catalog/installments'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import {
  type EnrollmentEvent,
  enrollmentEventSchema,
  isPartOfRequest,
  type Payment,
  type RecordedEnrollment,
} from './events.ts'

/** The program as it is now. It must exist. */
export type CommandedProgram = {
  readonly programId: ProgramRecordId
  readonly programName: string
}
/** The installments of the program now. */
type WithFees = { readonly installmentsPaise: readonly number[] }

type Change =
  | { readonly type: 'Enroll'; readonly enrolledAt: string }
  | ({
      readonly type: 'ConfirmPayment'
      readonly payment: Payment
      readonly notify: boolean
      /** Rejects a payment that may be one of those recorded: two installments can have the same day and amount. */
      readonly leaveOutRepeats?: boolean
    } & WithFees)
  /** `paymentId` is that of a request. Without it, all payments. */
  | ({
      readonly type: 'RevertPayments'
      readonly paymentId?: string | undefined
      readonly reason: EncryptedText
    } & WithFees)
  | { readonly type: 'SetSemester'; readonly semester: string }
  | { readonly type: 'Withdraw'; readonly reason: EncryptedText }
  | { readonly type: 'Reinstate' }
  /** To the commanded program. */
  | ({ readonly type: 'Move'; readonly fromProgramId: ProgramRecordId; readonly movedAt: string } & WithFees)

export type EnrollmentCommand = CommandedProgram & { readonly userId: UserId } & Change

/** Equals the maximum number of programs, so a learner's list fits on one page. */
export const maxEnrollments = limits.enrollmentsPerUser

export type EnrollmentRejection =
  | {
      readonly reason:
        | 'too-many'
        | 'not-enrolled'
        | 'other-program'
        | 'already-enrolled'
        | 'already-paid'
        | 'repeated'
        | 'nothing-paid'
        | 'nothing-due'
    }
  | { readonly reason: 'amount-differs'; readonly duePaise: number | undefined }

export type LearnerEnrollment = {
  readonly enrollment: RecordedEnrollment
  /** False after a withdrawal or a move. */
  readonly isCurrent: boolean
  /** Confirmed, and not reverted. */
  readonly payments: readonly Payment[]
  readonly revertedIds: ReadonlySet<string>
  /** How often it has begun. */
  readonly times: number
  /** What the last withdrawal has ended, also after the learner has enrolled again. */
  readonly withdrawn?: Pick<LearnerEnrollment, 'enrollment' | 'payments' | 'revertedIds'> | undefined
}
export type EnrollmentsState = ReadonlyMap<ProgramRecordId, LearnerEnrollment>

const sumOf = (payments: readonly Payment[]): number =>
  payments.reduce((total, { amountPaise }) => total + amountPaise, 0)

/** The fees at the first payment hold for the later ones, so that what a learner is shown is what they owe. */
const feesOf = ({ enrollment: { feeAccount } }: LearnerEnrollment, now: WithFees): WithFees => feeAccount ?? now

const withPayments = (
  recorded: RecordedEnrollment,
  payments: readonly Payment[],
  { installmentsPaise }: WithFees,
): RecordedEnrollment => {
  const { feeAccount: _, ...enrollment } = recorded
  if (payments.length === 0) return { ...enrollment, paymentStatus: 'Pending' }
  const feeAccount: FeeAccount = { installmentsPaise: [...installmentsPaise], paidPaise: sumOf(payments) }
  return { ...enrollment, feeAccount, paymentStatus: isPaidInFull(feeAccount) ? 'Completed' : 'Pending' }
}

const notEnrolled = (state: EnrollmentsState): EnrollmentRejection => ({
  reason: [...state.values()].some(({ isCurrent }) => isCurrent) ? 'other-program' : 'not-enrolled',
})

type Decided = Result<readonly EnrollmentEvent[], EnrollmentRejection>

const decideEnroll = (
  { userId, programId, programName, enrolledAt }: CommandOf<'Enroll'>,
  state: EnrollmentsState,
): Decided => {
  if (state.get(programId)?.isCurrent) return ok([])
  if ([...state.values()].filter(({ isCurrent }) => isCurrent).length >= maxEnrollments)
    return rejected({ reason: 'too-many' })
  const enrolled = { userId, programId, programName, enrolledAt }
  return ok([
    { type: 'LearnerEnrolled', data: { ...enrolled, currentSemester: firstSemester, paymentStatus: 'Pending' } },
  ])
}

/** References tell payments apart. */
const mayBeSame = (a: Payment, b: Payment): boolean =>
  a.paidOn === b.paidOn &&
  a.amountPaise === b.amountPaise &&
  (a.referenceIndex === undefined || b.referenceIndex === undefined)

const decidePayment = (command: CommandOf<'ConfirmPayment'>, known: LearnerEnrollment): Decided => {
  const { userId, programName, payment, notify } = command
  const { enrollment, payments, revertedIds } = known
  const { paymentId, referenceIndex, amountPaise } = payment
  if (revertedIds.has(paymentId) || payments.some((earlier) => earlier.paymentId === paymentId)) return ok([])
  const isRepeated =
    referenceIndex !== undefined && payments.some((earlier) => earlier.referenceIndex === referenceIndex)
  if (isRepeated || enrollment.paymentStatus === 'Completed') return rejected({ reason: 'already-paid' })
  if (command.leaveOutRepeats && payments.some((earlier) => mayBeSame(earlier, payment)))
    return rejected({ reason: 'repeated' })
  const fees = feesOf(known, command)
  if (fees.installmentsPaise.length === 0) return rejected({ reason: 'nothing-due' })
  const account = { installmentsPaise: [...fees.installmentsPaise], paidPaise: sumOf(payments) }
  if (!paysInstallments(account, amountPaise))
    // Stryker disable next-line OptionalChaining: an installment is open, or all was paid; the condition is for the types
    return rejected({ reason: 'amount-differs', duePaise: openInstallments(account)[0]?.openPaise })
  const paid = withPayments({ ...enrollment, programName }, [...payments, payment], fees)
  const data = { userId, enrollment: paid, payment, ...(notify && { notify }) }
  return ok([{ type: 'PaymentConfirmed', data }])
}

const decideReversal = (command: CommandOf<'RevertPayments'>, known: LearnerEnrollment): Decided => {
  const { userId, programName, paymentId, reason } = command
  const { enrollment, payments, revertedIds } = known
  const isMeant = (id: string): boolean => paymentId === undefined || isPartOfRequest(id, paymentId)
  const paymentIds = payments.map((payment) => payment.paymentId).filter(isMeant)
  if (paymentIds.length === 0) {
    const isRepetition = paymentId !== undefined && [...revertedIds].some(isMeant)
    if (isRepetition) return ok([])
    if (paymentId !== undefined || enrollment.paymentStatus === 'Pending') return rejected({ reason: 'nothing-paid' })
  }
  const rest = payments.filter((payment) => !isMeant(payment.paymentId))
  const reverted = withPayments({ ...enrollment, programName }, rest, feesOf(known, command))
  return ok([{ type: 'PaymentsReverted', data: { userId, enrollment: reverted, paymentIds, reason } }])
}

const decideReinstatement = (
  { userId, programId, programName }: CommandOf<'Reinstate'>,
  state: EnrollmentsState,
): Decided => {
  const known = state.get(programId)
  const withdrawn = known?.withdrawn
  // What was paid since the learner has enrolled again must not disappear.
  if (known?.isCurrent && (!withdrawn || known.payments.length > 0)) return ok([])
  if (!withdrawn) return rejected(notEnrolled(state))
  return ok([{ type: 'EnrollmentReinstated', data: { userId, enrollment: { ...withdrawn.enrollment, programName } } }])
}

const decideMove = (
  { userId, programId, programName, fromProgramId, movedAt, installmentsPaise }: CommandOf<'Move'>,
  state: EnrollmentsState,
): Decided => {
  const from = state.get(fromProgramId)
  if (!from?.isCurrent) return rejected(notEnrolled(state))
  const known = state.get(programId)
  if (known?.isCurrent) return rejected({ reason: 'already-enrolled' })
  const { currentSemester, paymentStatus } = from.enrollment
  // Who is moved back has been enrolled since the first time.
  const enrolledAt = known?.enrollment.enrolledAt ?? movedAt
  const moved = { programId, programName, currentSemester, paymentStatus, enrolledAt }
  const enrollment = from.payments.length > 0 ? withPayments(moved, from.payments, { installmentsPaise }) : moved
  return ok([{ type: 'EnrollmentMoved', data: { userId, fromProgramId, enrollment } }])
}

const decideCurrent = (
  command: CommandOf<'ConfirmPayment' | 'RevertPayments' | 'SetSemester' | 'Withdraw'>,
  state: EnrollmentsState,
): Decided => {
  const known = state.get(command.programId)
  if (!known?.isCurrent) return rejected(notEnrolled(state))
  const { userId, programId, programName } = command
  switch (command.type) {
    case 'ConfirmPayment':
      return decidePayment(command, known)
    case 'RevertPayments':
      return decideReversal(command, known)
    case 'SetSemester': {
      if (known.enrollment.currentSemester === command.semester) return ok([])
      const enrollment = { ...known.enrollment, programName, currentSemester: command.semester }
      return ok([{ type: 'SemesterChanged', data: { userId, enrollment } }])
    }
    case 'Withdraw':
      return ok([{ type: 'EnrollmentWithdrawn', data: { userId, programId, reason: command.reason } }])
  }
}

type CommandOf<T extends EnrollmentCommand['type']> = Extract<EnrollmentCommand, { readonly type: T }>

const begun = (
  state: EnrollmentsState,
  enrollment: RecordedEnrollment,
  from?: Pick<LearnerEnrollment, 'payments' | 'revertedIds'>,
): EnrollmentsState => {
  const { times = 0, withdrawn } = state.get(enrollment.programId) ?? {}
  const { payments = [], revertedIds = new Set<string>() } = from ?? {}
  return new Map(state).set(enrollment.programId, {
    enrollment,
    isCurrent: true,
    payments,
    revertedIds,
    times: times + 1,
    withdrawn,
  })
}

const changed = (
  state: EnrollmentsState,
  programId: ProgramRecordId,
  change: (known: LearnerEnrollment) => Partial<LearnerEnrollment>,
): EnrollmentsState => {
  const known = state.get(programId)
  return known ? new Map(state).set(programId, { ...known, ...change(known) }) : state
}

/**
 * One stream per learner. The rules concern one learner only, and learners enroll concurrently. The caller checks that the program
 * exists; this stream does not enforce it. A learner who enrolls while the program is being deleted keeps a readable record, like
 * every other enrolled learner.
 */
export const enrollmentDecider: Decider<EnrollmentsState, EnrollmentCommand, EnrollmentEvent, EnrollmentRejection> = {
  category: 'enrollment',
  initial: new Map(),

  decide(command, state) {
    switch (command.type) {
      case 'Enroll':
        return decideEnroll(command, state)
      case 'Reinstate':
        return decideReinstatement(command, state)
      case 'Move':
        return decideMove(command, state)
      default:
        return decideCurrent(command, state)
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'LearnerEnrolled': {
        const { userId: _, ...enrollment } = event.data
        // The first of two concurrent enrollments in a program wins.
        return state.get(enrollment.programId)?.isCurrent ? state : begun(state, enrollment)
      }
      case 'PaymentConfirmed': {
        const { enrollment, payment } = event.data
        return changed(state, enrollment.programId, ({ payments }) => ({
          enrollment,
          payments: [...payments, payment],
        }))
      }
      case 'PaymentsReverted': {
        const { enrollment, paymentIds } = event.data
        return changed(state, enrollment.programId, ({ payments, revertedIds }) => ({
          enrollment,
          payments: payments.filter(({ paymentId }) => !paymentIds.includes(paymentId)),
          revertedIds: new Set([...revertedIds, ...paymentIds]),
        }))
      }
      case 'SemesterChanged':
        return changed(state, event.data.enrollment.programId, () => ({ enrollment: event.data.enrollment }))
      case 'EnrollmentWithdrawn':
        return changed(state, event.data.programId, ({ enrollment, payments, revertedIds }) => ({
          isCurrent: false,
          withdrawn: { enrollment, payments, revertedIds },
        }))
      case 'EnrollmentReinstated': {
        const { enrollment } = event.data
        const { programId } = enrollment
        const reinstated = begun(state, enrollment, state.get(programId)?.withdrawn)
        return changed(reinstated, programId, () => ({ withdrawn: undefined }))
      }
      case 'EnrollmentMoved': {
        const { fromProgramId, enrollment } = event.data
        const from = state.get(fromProgramId)
        return changed(begun(state, enrollment, from), fromProgramId, () => ({
          isCurrent: false,
          payments: [],
          withdrawn: undefined,
        }))
      }
    }
  },

  parse: storedEventReader(enrollmentEventSchema),
}
