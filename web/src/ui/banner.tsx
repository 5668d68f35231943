import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { CheckIcon, CloseIcon, ErrorIcon } from './icons.tsx'

const Strip = styled('div', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: 'red' | 'green' }>(
  ({ theme, tone }) => ({
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    gridAutoFlow: 'column',
    gridAutoColumns: 'auto',
    alignItems: 'center',
    columnGap: theme.spacing(3),
    padding: theme.spacing(1, 1, 1, 4),
    marginBottom: theme.spacing(4),
    borderRadius: theme.portal.radii.control,
    fontWeight: 600,
    minHeight: 52,
    color: theme.vars.palette.portal.tones[tone].text,
    background: theme.vars.palette.portal.tones[tone].background,
    '& .MuiIconButton-root': { color: 'inherit' },
  }),
)

type ErrorBannerProps = {
  readonly children: ReactNode
  /** A button that may resolve the error. */
  readonly action?: ReactNode
  readonly onClose?: (() => void) | undefined
}

/** An error above the screen. Without `onClose` it cannot be closed, for an error that persists. */
export const ErrorBanner = ({ children, action, onClose }: ErrorBannerProps) => (
  <Strip role="alert" tone="red">
    <ErrorIcon size={20} weight={2} />
    <span>{children}</span>
    {action}
    {onClose && (
      <IconButton aria-label="Close message" onClick={onClose}>
        <CloseIcon size={18} weight={2} />
      </IconButton>
    )}
  </Strip>
)

/** A success message. The parent removes it. */
export const SuccessBanner = ({ children }: { children: ReactNode }) => (
  <Strip role="status" tone="green">
    <CheckIcon size={20} weight={2} />
    <span>{children}</span>
  </Strip>
)
