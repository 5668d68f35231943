import type { Program } from '@portal/contracts/catalog/program'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { EnrollDialog } from '../enroll-dialog.tsx'
import { MoveDialog } from '../move-dialog.tsx'
import { ListedPaymentsDialog } from '../confirmation/listed-payments-dialog.tsx'
import { PaymentDialog } from '../confirmation/payment-dialog.tsx'
import { RevertDialog, WithdrawDialog } from '../reason-dialogs.tsx'
import { SemesterDialog } from '../semester-dialog.tsx'
import type { ProgramDialogProps } from './learner-dialog.ts'
import type { MarkAction } from './mark-bar.tsx'

/** What a dialog asks for, and of whom: those who were marked when it was opened. */
export type Asked = { readonly action: MarkAction | 'enroll' | 'pay-list'; readonly learners: readonly ListedLearner[] }

type LearnerDialogsProps = ProgramDialogProps & { readonly asked: Asked; readonly program: Program | undefined }

/** The open dialog of the page. */
export const LearnerDialogs = ({ asked: { action, learners }, program, ...rest }: LearnerDialogsProps) => {
  switch (action) {
    case 'pay':
      return <PaymentDialog learners={learners} program={program} {...rest} />
    case 'pay-list':
      return <ListedPaymentsDialog program={program} {...rest} />
    case 'enroll':
      return <EnrollDialog {...rest} />
    case 'semester':
      return program && <SemesterDialog learners={learners} semesterCount={program.semesterCount} {...rest} />
    case 'revert':
      return <RevertDialog learners={learners} {...rest} />
    case 'withdraw':
      return <WithdrawDialog learners={learners} {...rest} />
    case 'move':
      return <MoveDialog learners={learners} {...rest} />
  }
}
