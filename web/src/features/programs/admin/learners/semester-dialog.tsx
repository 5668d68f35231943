import FormHelperText from '@mui/material/FormHelperText'
import { semesterName } from '@portal/contracts/catalog/enrollment'
import { useState } from 'react'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { type Fates, joined } from './api.ts'
import { type LearnerDialogProps, useLearnerCalls } from './components/learner-dialog.ts'
import { learnersText } from './count-texts.ts'
import { planSemesters, type SemesterPlan } from './semesters.ts'

type SemesterDialogProps = LearnerDialogProps & { readonly semesterCount: number }

const consequenceOf = ({ groups, staying }: SemesterPlan, semesterCount: number): string => {
  const moves = [...groups].map(
    ([semester, { length }]) =>
      `${learnersText(length)} from ${semesterName(semester)} to ${semesterName(semester + 1)}.`,
  )
  const stay = `${learnersText(staying)} ${staying === 1 ? 'stays' : 'stay'} in ${semesterName(semesterCount)}, the last one.`
  return [...moves, ...(staying > 0 ? [stay] : [])].join(' ')
}

/** Sets the marked learners to their next semester, one request for each present one. */
export const SemesterDialog = ({ programId, learners, semesterCount, reports, onClose }: SemesterDialogProps) => {
  const calls = useLearnerCalls(programId)
  const [plan] = useState(() => planSemesters(learners, semesterCount))
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [done, setDone] = useState<readonly Fates[]>([])
  const going = learners.length - plan.staying

  const finish = (all: readonly Fates[]) => {
    if (all.length > 0) reports.semesterSet(joined(all), plan.groups)
    onClose()
  }
  const confirm = async () => {
    setFailure(undefined)
    setBusy(true)
    const all: Fates[] = []
    // After a failure, the requests that were answered are repeated with their keys.
    for (const [semester, userIds] of plan.groups) {
      const answer = await calls.setSemester({ userIds: [...userIds], semester: semester + 1 })
      if (!answer.success) {
        setBusy(false)
        setDone(all)
        setFailure(answer.message)
        return
      }
      all.push(answer.data)
    }
    finish(all)
  }
  return (
    <ConfirmDialog
      open
      question={going === 0 ? 'There is no next semester' : `Next semester for ${learnersText(going)}?`}
      consequence={consequenceOf(plan, semesterCount)}
      confirmText={going === 0 ? 'OK' : 'Next semester'}
      busy={busy}
      onConfirm={() => (going === 0 ? onClose() : void confirm())}
      onCancel={() => finish(done)}
    >
      {failure !== undefined && (
        <FormHelperText error role="alert">
          {failure}
        </FormHelperText>
      )}
    </ConfirmDialog>
  )
}
