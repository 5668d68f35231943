import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { codeTaken } from '@portal/contracts/catalog/errors'
import type { Program } from '@portal/contracts/catalog/program'
import { useCallback, useEffect, useEffectEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useValidatedForm } from '../../../../lib/form.ts'
import type { Answer } from '../../../../lib/http.ts'
import { useToast } from '../../../../ui/toast/atoms.ts'
import { DelayedFadeIn } from '../../../../ui/skeletons.tsx'
import type { SavedProgram } from '../api.ts'
import { FactsSection } from './facts-section.tsx'
import { failureNotice, FormFooter, saveFailed, saveNotice, type useNotice } from './form-footer.tsx'
import { InformationSection, useLatestValues } from './information-section.tsx'
import { useKnownTools } from './known-tools.ts'
import { LeaveDialog, SaveWithoutDialog, useLeaveGuard } from './leave-guard.tsx'
import { WithLivePreview } from './live-preview.tsx'
import {
  bodyOf,
  informationSchema,
  useKeptProgram,
  usePartForms,
  valuesOf,
  type Information,
  type Parts,
} from './program-values.ts'
import { ToolsSection } from './tools-section.tsx'
import { programToast, type SavedState } from '../saved-state.ts'
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

/** Whether a row is being edited and differs from what it was. */
const useOpenEdits = () => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const report = useCallback((id: string, isChanged: boolean) => {
    setOpen((known) => {
      if (known.has(id) === isChanged) return known
      const others = [...known].filter((other) => other !== id)
      return new Set(isChanged ? [...others, id] : others)
    })
  }, [])
  return { changed: open.size > 0, report }
}

type ProgramFormProps = {
  /** The name under which unsaved changes are kept: 'new', the id of the program, … */
  readonly keptAs: string
  /** Begins the form anew. */
  readonly onDiscard: () => void
  /** The program being edited; null for a new one. */
  readonly program: Program | null
  /** Fills the form of a new program. */
  readonly template?: Program | undefined
  readonly parts: EditableParts
  readonly messages: ReturnType<typeof useNotice>
  readonly submitText: string
  readonly busyText: string
  readonly save: (body: SavedProgram) => Promise<Answer<{ readonly data: Program }>>
  readonly onSaved: (program: Program) => void
  /** Fetches the current version of an existing program. */
  readonly load?: () => Promise<Answer<unknown>>
}

export const ProgramForm = (props: ProgramFormProps) => {
  const { keptAs, onDiscard, program, template, parts, messages, submitText, busyText, save, onSaved, load } = props
  const formId = useId()
  const navigate = useNavigate()
  const form = useValidatedForm(informationSchema, valuesOf(template ?? program))
  useLatestValues(form, program)
  const { isSubmitting, isDirty } = form.formState
  const partForms = usePartForms()
  const kept = useKeptProgram(keptAs, { information: form, tool: partForms.tool, fact: partForms.fact })
  const rows: Parts = { toolkit: parts.tools.rows, facts: parts.facts.rows }
  const forget = () => {
    kept.forget()
    parts.forget()
  }
  const discard = useEffectEvent(() => {
    forget()
    onDiscard()
  })
  const toast = useToast()
  const [isRestored] = useState(kept.isRestored || parts.isRestored)
  useEffect(() => {
    if (!isRestored) return
    const action = { label: 'Discard', onPress: () => discard() }
    toast.info('Your unsaved changes are back.', { subject: programToast, durationMs: 8_000, action })
  }, [isRestored, toast])
  const { changed, report } = useOpenEdits()
  const typed = [...partForms.typed, ...(changed ? ['changed row'] : [])]
  const hasTypedParts = typed.length > 0
  const knownTools = useKnownTools()
  const [isAskingToSaveWithout, setAskingToSaveWithout] = useState(false)
  const leaveGuard = useLeaveGuard(isDirty || parts.isUnsaved || hasTypedParts)

  const loadNow = async () => {
    messages.show(null)
    const answer = await load?.()
    if (answer?.success === false) messages.show(failureNotice(answer, 'Failed to load program details'))
  }

  const saveNow = async (information: Information) => {
    messages.show(null)
    const answer = await save(bodyOf(information, rows))
    if (answer.success) {
      forget()
      onSaved(answer.data.data)
      return navigate('/admin/programs', { state: { saved: answer.data.data._id } satisfies SavedState })
    }
    const isCodeTaken = answer.message === codeTaken.message
    form.showErrors(isCodeTaken ? { programId: answer.message } : answer.errors)
    return messages.show(isCodeTaken ? { kind: 'failed', text: saveFailed } : saveNotice(answer, () => void loadNow()))
  }
  const submit = form.handleSubmit((information) =>
    hasTypedParts ? setAskingToSaveWithout(true) : saveNow(information),
  )
  const submitWithout = form.handleSubmit(saveNow)

  return (
    <>
      <WithLivePreview form={form} parts={rows} program={program}>
        <Width>
          <FormColumns>
            <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
              <InformationSection form={form} />
            </form>
            <SideColumn>
              <ToolsSection form={partForms.tool} known={knownTools} tools={parts.tools} onEdit={report} />
              <FactsSection form={partForms.fact} facts={parts.facts} onEdit={report} />
            </SideColumn>
          </FormColumns>
        </Width>
      </WithLivePreview>
      <FormFooter
        formId={formId}
        submitText={submitText}
        busyText={busyText}
        busy={isSubmitting}
        notice={messages.notice}
        onClose={() => messages.show(null)}
      />
      <LeaveDialog
        open={leaveGuard.isAsking}
        onConfirm={() => {
          forget()
          leaveGuard.leave()
        }}
        onCancel={leaveGuard.stay}
      />
      <SaveWithoutDialog
        open={isAskingToSaveWithout}
        typed={typed}
        onConfirm={() => {
          setAskingToSaveWithout(false)
          void submitWithout()
        }}
        onCancel={() => setAskingToSaveWithout(false)}
      />
    </>
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
