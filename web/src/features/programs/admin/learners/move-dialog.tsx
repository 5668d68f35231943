import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { useRequestQuery } from '../../../../lib/query.ts'
import { ComboboxField } from '../../../../ui/combobox/combobox-field.tsx'
import { loadPrograms } from '../api.ts'
import { describeIn, idsOf, type LearnerDialogProps, useLearnerCalls } from './components/learner-dialog.ts'
import { PreviewedDialog } from './components/previewed-dialog.tsx'
import { learnersText } from './count-texts.ts'
import { usePreviewedChange } from './use-previewed-change.ts'

type Moving = { readonly userIds: UserId[]; readonly toProgramId: ProgramRecordId }

/** The other programs by name and code, which together are unique. */
const useOtherPrograms = (programId: ProgramRecordId) => {
  const { state } = useRequestQuery({ key: ['admin-programs'], request: loadPrograms })
  const programs = state.kind === 'loaded' ? state.data.filter(({ _id }) => _id !== programId) : []
  return {
    ids: new Map(programs.map(({ _id, programName, programId: code }) => [`${programName} (${code})`, _id])),
    failure: state.kind === 'failed' ? state.failure.message : undefined,
  }
}

/** Moves the marked learners to another program. */
export const MoveDialog = ({ programId, learners, reports, onClose }: LearnerDialogProps) => {
  const calls = useLearnerCalls(programId)
  const { ids, failure } = useOtherPrograms(programId)
  const [chosen, setChosen] = useState('')
  const [error, setError] = useState<string>()
  const change = usePreviewedChange({
    request: (body: Moving & { readonly dryRun: boolean }) => calls.move(body),
    onDone: (done, { toProgramId }) => reports.moved(done, toProgramId),
    onClose,
  })
  const preview = async () => {
    const toProgramId = ids.get(chosen)
    setError(toProgramId === undefined ? 'Please choose a program' : undefined)
    if (toProgramId !== undefined) await change.preview({ userIds: idsOf(learners), toProgramId })
  }
  return (
    <PreviewedDialog
      title={`Move ${learnersText(learners.length)}`}
      consequence="Their payments count for the other program. They keep their semester."
      change={change}
      confirmText={(count) => `Move ${learnersText(count)}`}
      onPreview={() => void preview()}
      onClose={onClose}
      describe={describeIn(learners)}
    >
      <ComboboxField
        label="Program"
        placeholder="Choose a program"
        required
        value={chosen}
        options={[...ids.keys()]}
        noun={['program', 'programs']}
        error={error ?? failure}
        onChange={(program) => {
          setError(undefined)
          setChosen(program)
        }}
      />
    </PreviewedDialog>
  )
}
