import { styled, useTheme } from '@mui/material/styles'
import { programCodeSchema, type Program } from '@portal/contracts/catalog/program'
import { factIdSchema, programRecordIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'
import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { useMedia } from '../../../../lib/use-media.ts'
import { CardPreview, PagePreview } from '../preview/program-preview.tsx'
import { typedCount, type InformationForm, type Parts } from './program-values.ts'

/** Stands for an id that the server has not given yet. The pattern of a saved program may be another one. */
const unsavedId = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`

type PreviewProps = {
  readonly form: InformationForm
  readonly parts: Parts
  readonly program: Program | null
}

/** The program as it would be after a save. */
const useTypedProgram = ({ form, parts: { toolkit, facts }, program }: PreviewProps): Program => {
  const values = useWatch({ control: form.control })
  return useMemo(() => {
    const semesterCount = typedCount(values.semesterCount ?? '') ?? program?.semesterCount ?? 1
    return {
      _id: program?._id ?? programRecordIdSchema.parse(unsavedId(0)),
      programId: programCodeSchema.parse(values.programId ?? ''),
      programName: values.programName?.trim() || 'Program name',
      detail: values.detail ?? '',
      semesterCount,
      fee: values.fee ?? '',
      collegeName: values.collegeName ?? '',
      eligibility: values.eligibility ?? '',
      semesters: (values.semesters ?? []).slice(0, semesterCount).map(({ fee = '' }) => ({ fee })),
      enrollmentDetails: { fee: values.enrollmentDetails?.fee ?? '' },
      toolkit: toolkit.map((tool, index) => ({ ...tool, _id: toolIdSchema.parse(unsavedId(index)) })),
      facts: facts.map((fact, index) => ({ ...fact, _id: factIdSchema.parse(unsavedId(index)) })),
    }
  }, [values, toolkit, facts, program])
}

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  gridTemplateColumns: 'minmax(0, 1fr)',
  '&[data-preview]': { gridTemplateColumns: 'minmax(0, 1fr) 376px', alignItems: 'start' },
}))

const Scroller = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: theme.spacing(6),
  maxHeight: [`calc(100vh - ${theme.spacing(36)})`, `calc(100dvh - ${theme.spacing(36)})`],
  // Square corners: rounded ones would cut the first letter.
  overflowY: 'auto',
}))

/** Nothing in it can be pressed. */
const Parts = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(7) }))

const Preview = (props: PreviewProps) => {
  // Typing has priority over drawing the preview.
  const program = useDeferredValue(useTypedProgram(props))
  return (
    <Scroller role="region" aria-label="Preview" tabIndex={0}>
      <Parts inert aria-hidden="true">
        <CardPreview program={program} />
        <PagePreview program={program} />
      </Parts>
    </Scroller>
  )
}

/** The form, with the program as a learner sees it beside it where the window is wide enough. */
export const WithLivePreview = ({ children, ...props }: PreviewProps & { readonly children: ReactNode }) => {
  const isWide = useMedia(useTheme().breakpoints.up('lg'))
  return (
    <Columns data-preview={isWide ? '' : undefined}>
      {children}
      {isWide && <Preview {...props} />}
    </Columns>
  )
}
