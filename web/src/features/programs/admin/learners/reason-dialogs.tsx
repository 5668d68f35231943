import { revertPayments } from '@portal/contracts/catalog/learners'
import { useState } from 'react'
import { z } from 'zod'
import { useValidatedForm } from '../../../../lib/form.ts'
import type { Answer } from '../../../../lib/http.ts'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import type { Fates } from './api.ts'
import { idsOf, type LearnerDialogProps, useLearnerCalls } from './components/learner-dialog.ts'
import { learnersText } from './count-texts.ts'

const schema = z.object({ reason: revertPayments.body.shape.reason })

type ReasonDialogProps = {
  readonly title: string
  readonly consequence: string
  readonly submitText: string
  readonly request: (reason: string) => Promise<Answer<Fates>>
  readonly onDone: (done: Fates) => void
  readonly onClose: () => void
}

/** Asks for the reason of a change, which is recorded. */
const ReasonDialog = ({ title, consequence, submitText, request, onDone, onClose }: ReasonDialogProps) => {
  const form = useValidatedForm(schema, { reason: '' })
  const [failure, setFailure] = useState<string>()
  const submit = form.handleSubmit(async ({ reason }) => {
    setFailure(undefined)
    const answer = await request(reason)
    if (answer.success) {
      onDone(answer.data)
      return onClose()
    }
    setFailure(answer.errors?.['reason'] === undefined ? answer.message : undefined)
    return form.showErrors(answer.errors)
  })
  return (
    <FormDialog
      title={title}
      consequence={consequence}
      submitText={submitText}
      busy={form.formState.isSubmitting}
      destructive
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onClose}
    >
      <TextField
        label="Reason"
        hint="Recorded for other admins."
        autoFocus
        required
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  )
}

/** Takes back all confirmed payments of the marked learners. */
export const RevertDialog = ({ programId, learners, reports, onClose }: LearnerDialogProps) => {
  const calls = useLearnerCalls(programId)
  return (
    <ReasonDialog
      title={`Set ${learnersText(learners.length)} back to pending?`}
      consequence="All their confirmed payments for this program no longer count. This action cannot be undone."
      submitText="Set back to pending"
      request={(reason) => calls.revert({ userIds: idsOf(learners), reason })}
      onDone={reports.reverted}
      onClose={onClose}
    />
  )
}

/** Ends the enrollments of the marked learners. */
export const WithdrawDialog = ({ programId, learners, reports, onClose }: LearnerDialogProps) => {
  const calls = useLearnerCalls(programId)
  return (
    <ReasonDialog
      title={`Withdraw ${learnersText(learners.length)}?`}
      consequence="The program disappears from their own programs. Undo brings them back with payments and semester."
      submitText="Withdraw"
      request={(reason) => calls.withdraw({ userIds: idsOf(learners), reason })}
      onDone={reports.withdrawn}
      onClose={onClose}
    />
  )
}
