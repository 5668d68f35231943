import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useRef, useState, type ReactNode } from 'react'
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

export const countOf = (count: number, part: 'tool' | 'fact'): string => {
  if (count === 0) return `No ${part}s`
  return count === 1 ? `1 ${part}` : `${count} ${part}s`
}

/** Leads the focus on from a row that goes: to the button of the one beside it, or to the section where it was the last. */
const focusBeside = (row: HTMLElement | null) => {
  const section = row?.closest('section')
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  return () => {
    // Whoever has gone on elsewhere meanwhile is left there.
    if (document.activeElement !== document.body && !row?.contains(document.activeElement)) return
    const next = neighbours.find((neighbour) => neighbour?.isConnected)?.querySelector('button') ?? section
    next?.focus({ preventScroll: true })
  }
}

type PartProps = {
  /** What is removed, for whoever does not see the row. */
  readonly name: string
  readonly picture?: ReactNode
  readonly children: ReactNode
  readonly onRemove: () => Promise<boolean>
}

export const Part = ({ name, picture, children, onRemove }: PartProps) => {
  const [busy, setBusy] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const remove = async () => {
    if (busy) return
    setBusy(true)
    const goOn = focusBeside(row.current)
    // Once it is removed, the row is no more.
    if (await onRemove()) goOn()
    else setBusy(false)
  }
  return (
    <Item ref={row} aria-busy={busy || undefined} data-pictured={picture ? '' : undefined}>
      {picture}
      <div className="words">{children}</div>
      <Button variant="text" color="error" size="small" aria-disabled={busy || undefined} onClick={() => void remove()}>
        Remove<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </Item>
  )
}
