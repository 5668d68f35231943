import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { countOf, EditableList, FormSection } from './form-section.tsx'

/** The form that adds or edits a tool or a fact. */
export const PartForm = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

export const PartActions = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(3),
}))

/** Closes the editor of a row on Escape. */
export const onEscape =
  (close: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    close()
  }

/** Called with whether the row's fields differ from the row, and with false when its editor closes. */
export type ReportEdit = (id: string, isChanged: boolean) => void

export const useReportedEdit = (report: ReportEdit, id: string, isChanged: boolean): void => {
  useEffect(() => {
    report(id, isChanged)
    return () => report(id, false)
  }, [report, id, isChanged])
}

type Moved = { readonly name: string; readonly to: number }

/** What a screen reader hears after a row has moved. */
export const useMoveAnnouncement = (count: number) => {
  const [last, setLast] = useState<Moved | null>(null)
  return {
    announce: setLast,
    text: last === null ? '' : `${last.name} moved to position ${last.to} of ${count}`,
  }
}

type PartsSectionProps = {
  readonly title: string
  readonly part: 'tool' | 'fact'
  readonly count: number
  readonly most: number
  /** The form that adds one. */
  readonly add: ReactNode
  readonly announcement: string
  readonly children: ReactNode
}

/** The tools or the facts of a program, and a form that adds one until there are as many as a program can have. */
export const PartsSection = ({ title, part, count, most, add, announcement, children }: PartsSectionProps) => (
  <FormSection title={title} count={countOf(count, part)}>
    {count > 0 && <EditableList>{children}</EditableList>}
    <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    {count < most ? (
      add
    ) : (
      <Typography variant="body2" color="textSecondary">
        {`A program can have at most ${most} ${part}s.`}
      </Typography>
    )}
  </FormSection>
)
