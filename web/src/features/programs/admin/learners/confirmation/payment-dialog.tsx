import { useState } from 'react'
import { formatPaise } from '../../../../../ui/rupees.ts'
import { dayText } from '../../../../../ui/time.tsx'
import { PreviewedDialog } from '../components/previewed-dialog.tsx'
import { describeIn, idsOf, type LearnerDialogProps, useLearnerCalls } from '../components/learner-dialog.ts'
import { learnersText, paymentsText } from '../count-texts.ts'
import { type ProgramFees, usualAmount } from '../fees.ts'
import { usePreviewedChange } from '../use-previewed-change.ts'
import { PaymentFields } from './payment-fields.tsx'
import { useFieldErrors, usePaymentForm } from './payment-form.ts'

type PaymentDialogProps = LearnerDialogProps & { readonly program: ProgramFees | undefined }

/** Confirms a payment of each marked learner. */
export const PaymentDialog = ({ programId, learners, program, reports, onClose }: PaymentDialogProps) => {
  const calls = useLearnerCalls(programId)
  const form = usePaymentForm(usualAmount(learners, program))
  const [notify, setNotify] = useState(false)
  const change = usePreviewedChange({ request: calls.pay, onDone: reports.paid, onClose })
  const hasFieldError = useFieldErrors(form, change.failure)
  const preview = form.handleSubmit((payment) => change.preview({ ...payment, notify, userIds: idsOf(learners) }))
  return (
    <PreviewedDialog
      title={`Confirm a payment of ${learnersText(learners.length)}`}
      summary={change.body && `${formatPaise(change.body.amount)} each, paid on ${dayText(change.body.paidOn)}`}
      change={change}
      confirmText={(count) => `Confirm ${paymentsText(count)}`}
      hasFieldError={hasFieldError}
      onPreview={(event) => void preview(event)}
      onClose={onClose}
      describe={describeIn(learners)}
    >
      <PaymentFields form={form} notify={notify} onNotify={setNotify} />
    </PreviewedDialog>
  )
}
