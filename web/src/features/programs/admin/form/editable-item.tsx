import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { createContext, use, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { ArrowDownIcon, ArrowUpIcon } from '../../../../ui/page-icons.tsx'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import type { Step } from './row-changes.ts'

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  '&[data-pictured]': { gridTemplateColumns: 'auto minmax(0, 1fr)' },
  alignItems: 'center',
  gap: theme.spacing(1, 3),
  padding: theme.spacing(2.5, 0, 1),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > .words': { minWidth: 0, overflowWrap: 'anywhere' },
  '& > .actions': {
    gridColumn: '1 / -1',
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'flex-end',
    marginRight: theme.spacing(-3),
  },
  // Everything in one line where the list is wide enough.
  '@container (min-width: 480px)': {
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    '&[data-pictured]': { gridTemplateColumns: 'auto minmax(0, 1fr) auto' },
    '& > .actions': { gridColumn: 'auto', flexWrap: 'nowrap' },
  },
  '& [aria-disabled="true"]': { opacity: 0.4 },
}))

const EditorRow = styled('li')(({ theme }) => ({
  padding: theme.spacing(4, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

/** Moves the focus from a removed row to the Remove button of its neighbor, or to the section if it was the last row. */
const focusBeside = (row: HTMLElement | null) => {
  const section = row?.closest('section')
  const neighbors = [row?.nextElementSibling, row?.previousElementSibling]
  return () => {
    // The user may have moved the focus elsewhere in the meantime.
    if (document.activeElement !== document.body && !row?.contains(document.activeElement)) return
    const neighbor = neighbors.find((other) => other?.isConnected)
    const next =
      neighbor?.querySelector<HTMLElement>('[data-action="remove"]') ?? neighbor?.querySelector('input') ?? section
    next?.focus({ preventScroll: true })
  }
}

/** Browsers drop the focus of an element that is moved in the page, so the pressed button gets it back. */
const useMove = (
  row: RefObject<HTMLElement | null>,
  { index, count, onMove }: Pick<EditableItemProps, 'index' | 'count' | 'onMove'>,
) => {
  const pressed = useRef<Step>(undefined)
  useLayoutEffect(() => {
    if (pressed.current === undefined) return
    row.current?.querySelector<HTMLElement>(`[data-step="${pressed.current}"]`)?.focus()
    pressed.current = undefined
  })
  return (by: Step) => {
    if (index + by < 0 || index + by >= count) return
    pressed.current = by
    onMove(by)
  }
}

/** Closes the editor of the row that contains it. */
const CloseContext = createContext<() => void>(() => {})
export const useCloseEditor = () => use(CloseContext)

type EditableItemProps = {
  /** What the buttons change, for screen readers. */
  readonly name: string
  readonly index: number
  readonly count: number
  readonly picture?: ReactNode
  readonly children: ReactNode
  readonly onMove: (by: Step) => void
  readonly onRemove: () => Promise<boolean>
  /** The fields of the row, shown in its place. */
  readonly editor: ReactNode
}

/** A row that can be edited in place, moved and removed. */
export const EditableItem = (props: EditableItemProps) => {
  const { name, index, count, picture, children, onMove, onRemove, editor } = props
  const [busy, setBusy] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const move = useMove(row, { index, count, onMove })
  const wasEditing = useRef(false)

  // The button that opened the editor gets the focus back.
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing) row.current?.querySelector<HTMLElement>('[data-action="edit"]')?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  const remove = async () => {
    if (busy) return
    setBusy(true)
    const moveFocus = focusBeside(row.current)
    // A removed row is unmounted: there is no state to reset.
    if (await onRemove()) moveFocus()
    else setBusy(false)
  }

  if (isEditing)
    return (
      <EditorRow ref={row}>
        <CloseContext value={() => setEditing(false)}>{editor}</CloseContext>
      </EditorRow>
    )
  return (
    <Row ref={row} aria-busy={busy || undefined} data-pictured={picture ? '' : undefined}>
      {picture}
      <div className="words">{children}</div>
      <div className="actions">
        {count > 1 && (
          <>
            <IconButton
              data-step={-1}
              aria-label={`Move ${name} up`}
              aria-disabled={index === 0 || undefined}
              onClick={() => move(-1)}
            >
              <ArrowUpIcon size={18} />
            </IconButton>
            <IconButton
              data-step={1}
              aria-label={`Move ${name} down`}
              aria-disabled={index === count - 1 || undefined}
              onClick={() => move(1)}
            >
              <ArrowDownIcon size={18} />
            </IconButton>
          </>
        )}
        <Button data-action="edit" variant="text" color="secondary" size="small" onClick={() => setEditing(true)}>
          Edit<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
        <Button
          data-action="remove"
          variant="text"
          color="error"
          size="small"
          aria-disabled={busy || undefined}
          onClick={() => void remove()}
        >
          Remove<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      </div>
    </Row>
  )
}
