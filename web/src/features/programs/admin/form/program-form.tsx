import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useValidatedForm } from '../../../../lib/form.ts'
import type { Answer } from '../../../../lib/http.ts'
import { DelayedFadeIn } from '../../../../ui/skeletons.tsx'
import type { SavedProgram } from '../api.ts'
import { FactsSection, ToolsSection } from './parts-sections.tsx'
import { failureNotice, FormFooter, saveNotice, type useNotice } from './form-footer.tsx'
import { InformationSection, useLatestValues } from './information-section.tsx'
import { LeaveDialog, SaveWithoutDialog, useLeaveGuard } from './leave-guard.tsx'
import { bodyOf, informationSchema, usePartForms, valuesOf, type Information } from './program-values.ts'
import type { EditableParts } from './use-parts.ts'

const Width = styled('div')({ containerType: 'inline-size' })

/** Two columns where they fit: the program, and its tools and facts. */
const FormColumns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  '@container (min-width: 800px)': { gridTemplateColumns: 'minmax(0, 6fr) minmax(0, 5fr)', alignItems: 'start' },
}))

const SideColumn = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(10) }))

type ProgramFormProps = {
  /** The program being edited; null for a new one. */
  readonly program: Program | null
  readonly parts: EditableParts
  /** Whether there are tools or facts that only a save would keep. */
  readonly hasUnsavedParts: boolean
  readonly messages: ReturnType<typeof useNotice>
  readonly submitText: string
  readonly busyText: string
  readonly save: (body: SavedProgram) => Promise<Answer<unknown>>
  /** Fetches the current version of an existing program. */
  readonly load?: () => Promise<Answer<unknown>>
}

export const ProgramForm = (props: ProgramFormProps) => {
  const { program, parts, hasUnsavedParts, messages, submitText, busyText, save, load } = props
  const formId = useId()
  const navigate = useNavigate()
  const form = useValidatedForm(informationSchema, valuesOf(program))
  useLatestValues(form, program)
  const { isSubmitting, isDirty } = form.formState
  const partForms = usePartForms()
  const hasTypedParts = partForms.typed.length > 0
  const [isAskingToSaveWithout, setAskingToSaveWithout] = useState(false)
  const leaveGuard = useLeaveGuard(isDirty || hasUnsavedParts || hasTypedParts)

  const loadNow = async () => {
    messages.show(null)
    const answer = await load?.()
    if (answer?.success === false) messages.show(failureNotice(answer, 'Failed to load program details'))
  }

  const saveNow = async (information: Information) => {
    messages.show(null)
    const answer = await save(bodyOf(information, parts))
    if (answer.success) return navigate('/admin/programs')
    form.showErrors(answer.errors)
    return messages.show(saveNotice(answer, () => void loadNow()))
  }
  const submit = form.handleSubmit((information) =>
    hasTypedParts ? setAskingToSaveWithout(true) : saveNow(information),
  )
  const submitWithout = form.handleSubmit(saveNow)

  return (
    <Width>
      <FormColumns>
        <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
          <InformationSection form={form} />
        </form>
        <SideColumn>
          <ToolsSection form={partForms.tool} parts={parts} />
          <FactsSection form={partForms.fact} parts={parts} />
        </SideColumn>
      </FormColumns>
      <FormFooter
        formId={formId}
        submitText={submitText}
        busyText={busyText}
        busy={isSubmitting}
        notice={messages.notice}
        onClose={() => messages.show(null)}
      />
      <LeaveDialog open={leaveGuard.isAsking} onConfirm={leaveGuard.leave} onCancel={leaveGuard.stay} />
      <SaveWithoutDialog
        open={isAskingToSaveWithout}
        typed={partForms.typed}
        onConfirm={() => {
          setAskingToSaveWithout(false)
          void submitWithout()
        }}
        onCancel={() => setAskingToSaveWithout(false)}
      />
    </Width>
  )
}

/** The two columns of the form, as tall as the window. */
export const ProgramFormSkeleton = () => (
  <DelayedFadeIn role="status" aria-label="Loading program" style={{ containerType: 'inline-size' }}>
    <FormColumns>
      <Skeleton variant="rounded" height={760} />
      <Skeleton variant="rounded" height={760} />
    </FormColumns>
  </DelayedFadeIn>
)
