import Button from '@mui/material/Button'
import type { ComponentProps } from 'react'

type BusyButtonProps = ComponentProps<typeof Button> & {
  readonly busy: boolean
  /** The text while busy. Default: the children. */
  readonly busyText?: string
}

/** A button that ignores clicks while busy. It keeps its size and its focus. */
export const BusyButton = ({ busy, busyText, children, disabled, onClick, type, ...rest }: BusyButtonProps) => (
  <Button
    {...rest}
    // A disabled button would lose the keyboard focus.
    type={busy ? 'button' : (type ?? 'button')}
    aria-disabled={busy || undefined}
    disabled={disabled ?? false}
    onClick={busy ? undefined : onClick}
    sx={busy ? { opacity: 0.72, cursor: 'progress' } : {}}
  >
    <span>{busy && busyText !== undefined ? busyText : children}</span>
  </Button>
)
