import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState, type ReactNode } from 'react'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'

/** Tools or facts between hairlines; each can be removed. */
export const PartList = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: theme.spacing(-5, 0, 0),
  padding: 0,
}))

const Item = styled('li')(({ theme }) => ({
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

type PartProps = {
  /** What is removed, for whoever does not see the row. */
  readonly name: string
  readonly picture?: ReactNode
  readonly children: ReactNode
  readonly onRemove: () => Promise<boolean>
}

export const Part = ({ name, picture, children, onRemove }: PartProps) => {
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    if (busy) return
    setBusy(true)
    // Once it is removed, the row is no more.
    if (!(await onRemove())) setBusy(false)
  }
  return (
    <Item aria-busy={busy || undefined} data-pictured={picture ? '' : undefined}>
      {picture}
      <div className="words">{children}</div>
      <Button variant="text" color="error" size="small" aria-disabled={busy || undefined} onClick={() => void remove()}>
        Remove<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </Item>
  )
}
