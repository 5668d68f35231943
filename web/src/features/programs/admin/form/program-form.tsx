import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useCheckedForm } from '../../../../lib/form.ts'
import type { Answer } from '../../../../lib/http.ts'
import type { SavedProgram } from '../api.ts'
import { FactsSection } from './facts-section.tsx'
import { failureNotice, saveNotice } from './failure-notice.ts'
import { FormFoot } from './form-foot.tsx'
import { InformationSection } from './information-section.tsx'
import { LeaveBehindQuestion, LeaveQuestion } from './leave-questions.tsx'
import { usePartForms } from './part-forms.ts'
import { bodyOf, informationSchema, valuesOf, type Information } from './program-values.ts'
import { ToolsSection } from './tools-section.tsx'
import { useFollowedValues } from './use-followed-values.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import type { useNotice } from './use-notice.ts'
import type { EditableParts } from './use-parts.ts'

const Width = styled('div')({ containerType: 'inline-size' })

/** Two columns wherever there is room for them: what the programme is, and what belongs to it. */
export const FormColumns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  '@container (min-width: 800px)': { gridTemplateColumns: 'minmax(0, 6fr) minmax(0, 5fr)', alignItems: 'start' },
}))

const Beside = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(10) }))

type ProgramFormProps = {
  /** What is being edited; null for a new one. */
  readonly program: Program | null
  readonly parts: EditableParts
  /** Whether there are parts that only a save keeps. */
  readonly hasUnsavedParts: boolean
  readonly messages: ReturnType<typeof useNotice>
  readonly submitText: string
  readonly busyText: string
  readonly save: (body: SavedProgram) => Promise<Answer<unknown>>
  /** Fetches what there is now; nothing for a new one. */
  readonly load?: () => Promise<Answer<unknown>>
}

export const ProgramForm = (props: ProgramFormProps) => {
  const { program, parts, hasUnsavedParts, messages, submitText, busyText, save, load } = props
  const formId = useId()
  const navigate = useNavigate()
  const form = useCheckedForm(informationSchema, valuesOf(program))
  useFollowedValues(form, program)
  const { isSubmitting, isDirty } = form.formState
  const partForms = usePartForms()
  const hasTypedParts = partForms.typed.length > 0
  const [asksToLeaveBehind, setAsksToLeaveBehind] = useState(false)
  const leaving = useLeaveWarning(isDirty || hasUnsavedParts || hasTypedParts)

  const loadNow = async () => {
    messages.tell(null)
    const answer = await load?.()
    if (answer?.success === false) messages.tell(failureNotice(answer, 'Failed to load program details'))
  }

  const saveNow = async (information: Information) => {
    messages.tell(null)
    const answer = await save(bodyOf(information, parts))
    if (answer.success) return navigate('/admin/programs')
    form.showErrors(answer.errors)
    return messages.tell(saveNotice(answer, () => void loadNow()))
  }
  const submit = form.handleSubmit((information) => (hasTypedParts ? setAsksToLeaveBehind(true) : saveNow(information)))
  const submitWithout = form.handleSubmit(saveNow)

  return (
    <Width>
      <FormColumns>
        <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
          <InformationSection form={form} />
        </form>
        <Beside>
          <ToolsSection form={partForms.tool} parts={parts} />
          <FactsSection form={partForms.fact} parts={parts} />
        </Beside>
      </FormColumns>
      <FormFoot
        formId={formId}
        submitText={submitText}
        busyText={busyText}
        busy={isSubmitting}
        notice={messages.notice}
        onClose={() => messages.tell(null)}
      />
      <LeaveQuestion open={leaving.isAsking} onConfirm={leaving.leave} onCancel={leaving.stay} />
      <LeaveBehindQuestion
        open={asksToLeaveBehind}
        typed={partForms.typed}
        onConfirm={() => {
          setAsksToLeaveBehind(false)
          void submitWithout()
        }}
        onCancel={() => setAsksToLeaveBehind(false)}
      />
    </Width>
  )
}
