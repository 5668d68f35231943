import { openInstallments, paisePerRupee } from '@portal/contracts/catalog/installments'
import type { NotificationText } from '@portal/contracts/notifications/events'
import { enrollmentNoticeTitle } from '@portal/contracts/notifications/portal-sender'
import { notificationIdSchema, type ProgramRecordId, type UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { CatalogEventOf } from '../bus-messages.ts'

/** A notification of the portal to one learner. */
export type Notice = {
  readonly userId: UserId
  readonly text: NotificationText
  /** The same for every notice of the kind. Equal fingerprints make a repetition change nothing. */
  readonly fingerprint: string
  /** ISO 8601, when what it tells happened. */
  readonly happenedAt: string
}

export const enrolledNotice = ({
  userId,
  programId,
  programName,
  enrolledAt,
}: CatalogEventOf<'LearnerEnrolled'>['data']): Notice => ({
  userId,
  text: {
    // One per learner and program, whoever sends it and however often.
    notificationId: notificationIdSchema.parse(deterministicEventId('enrollment-notice', userId, programId)),
    title: enrollmentNoticeTitle(programName),
    message: `Your seat in ${programName} is reserved. You can find the program under My Program. The center will contact you about payment.`,
    type: 'General',
  },
  fingerprint: 'enrollment-notice',
  happenedAt: enrolledAt,
})

/** An admin has moved the learner here. `movedAt` in ISO 8601. */
export const movedNotice = (
  { userId, programId, programName }: CatalogEventOf<'LearnerEnrolled'>['data'],
  movedFrom: ProgramRecordId,
  movedAt: string,
): Notice => ({
  userId,
  text: {
    notificationId: notificationIdSchema.parse(deterministicEventId('move-notice', userId, movedFrom, programId)),
    title: `You are in ${programName} now`,
    message: `The center has moved you to ${programName}. What you have paid counts for it. You can find the program under My Program.`,
    type: 'General',
  },
  fingerprint: 'move-notice',
  happenedAt: movedAt,
})

/** `₹15,000` */
const rupees = (paise: number): string =>
  (paise / paisePerRupee).toLocaleString('en-IN', {
    style: 'currency',
    currency: 'INR',
    minimumFractionDigits: paise % paisePerRupee === 0 ? 0 : 2,
  })

type Changed = CatalogEventOf<'EnrollmentChanged'>['data']

const whatIsNext = ({ enrollment: { feeAccount, paymentStatus } }: Changed): string => {
  const [next] = feeAccount ? openInstallments(feeAccount) : []
  if (feeAccount && next)
    return ` Installment ${next.number} of ${feeAccount.installmentsPaise.length} is next: ${rupees(next.openPaise)}.`
  return paymentStatus === 'Completed' ? ' Your fees are paid in full.' : ''
}

/** Undefined if the change is no payment that the learner is to be told of. `changedAt` in ISO 8601. */
export const paymentNotice = (changed: Changed, changedAt: string): Notice | undefined => {
  const { userId, enrollment, confirmedPayment } = changed
  if (!confirmedPayment) return undefined
  const { paymentId, amountPaise } = confirmedPayment
  const { programId, programName } = enrollment
  return {
    userId,
    text: {
      // The payments of several learners in one request have the same id.
      notificationId: notificationIdSchema.parse(deterministicEventId('payment-notice', paymentId, userId, programId)),
      title: 'Payment received',
      message: `We have received your payment of ${rupees(amountPaise)} for ${programName}.${whatIsNext(changed)}`,
      type: 'General',
    },
    fingerprint: 'payment-notice',
    happenedAt: changedAt,
  }
}
