import Button from '@mui/material/Button'
import type { ComponentProps } from 'react'

type BusyButtonProps = ComponentProps<typeof Button> & {
  readonly busy: boolean
  /** What the button reads while busy; its own text if absent. */
  readonly busyText?: string
}

/** A button that cannot be pressed twice. It keeps its place and its focus while it works. */
export const BusyButton = ({ busy, busyText, children, disabled, onClick, type, ...rest }: BusyButtonProps) => (
  <Button
    {...rest}
    // A disabled button would drop the keyboard's focus to the top of the page.
    type={busy ? 'button' : (type ?? 'button')}
    aria-disabled={busy || undefined}
    disabled={disabled ?? false}
    onClick={busy ? undefined : onClick}
    sx={busy ? { opacity: 0.72, cursor: 'progress' } : {}}
  >
    {busy && busyText !== undefined ? busyText : children}
  </Button>
)
