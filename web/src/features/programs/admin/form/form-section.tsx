import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useId, useRef, useState, type ReactNode } from 'react'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  alignContent: 'start',
  gap: theme.spacing(5),
  minWidth: 0,
  outline: 'none',
  '& > header': {
    display: 'flex',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: theme.spacing(4),
    paddingBottom: theme.spacing(2),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
}))

type FormSectionProps = { readonly title: string; readonly count?: string; readonly children: ReactNode }

export const FormSection = ({ title, count, children }: FormSectionProps) => {
  const id = useId()
  return (
    <Section aria-labelledby={id} tabIndex={-1}>
      <header>
        <Typography id={id} variant="h2">
          {title}
        </Typography>
        {count !== undefined && (
          <Typography variant="body2" color="textSecondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {count}
          </Typography>
        )}
      </header>
      {children}
    </Section>
  )
}

/** Tools or facts, separated by hairlines. */
export const EditableList = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: theme.spacing(-5, 0, 0),
  padding: 0,
}))

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  '&[data-pictured]': { gridTemplateColumns: 'auto minmax(0, 1fr) auto' },
  alignItems: 'center',
  gap: theme.spacing(3),
  padding: theme.spacing(2.5, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > .words': { minWidth: 0, overflowWrap: 'anywhere' },
  '& > .MuiButton-root': { marginRight: theme.spacing(-3) },
}))

export const countOf = (count: number, part: 'tool' | 'fact'): string => {
  if (count === 0) return `No ${part}s`
  return count === 1 ? `1 ${part}` : `${count} ${part}s`
}

/** Moves the focus from a removed row to the button of its neighbor, or to the section if it was the last row. */
const focusBeside = (row: HTMLElement | null) => {
  const section = row?.closest('section')
  const neighbors = [row?.nextElementSibling, row?.previousElementSibling]
  return () => {
    // The user may have moved the focus elsewhere in the meantime.
    if (document.activeElement !== document.body && !row?.contains(document.activeElement)) return
    const next = neighbors.find((neighbor) => neighbor?.isConnected)?.querySelector('button') ?? section
    next?.focus({ preventScroll: true })
  }
}

type EditableItemProps = {
  /** What the button removes, for screen readers. */
  readonly name: string
  readonly picture?: ReactNode
  readonly children: ReactNode
  readonly onRemove: () => Promise<boolean>
}

export const EditableItem = ({ name, picture, children, onRemove }: EditableItemProps) => {
  const [busy, setBusy] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const remove = async () => {
    if (busy) return
    setBusy(true)
    const moveFocus = focusBeside(row.current)
    // A removed row is unmounted: there is no state to reset.
    if (await onRemove()) moveFocus()
    else setBusy(false)
  }
  return (
    <Row ref={row} aria-busy={busy || undefined} data-pictured={picture ? '' : undefined}>
      {picture}
      <div className="words">{children}</div>
      <Button variant="text" color="error" size="small" aria-disabled={busy || undefined} onClick={() => void remove()}>
        Remove<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </Row>
  )
}
