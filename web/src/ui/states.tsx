import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Center = styled('div')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  textAlign: 'center',
  gap: theme.spacing(4),
  padding: theme.spacing(12, 4),
  color: theme.vars.palette.text.secondary,
  '&[data-compact]': { padding: theme.spacing(5, 4) },
  '& > svg': { color: theme.vars.palette.portal.edge },
}))

type EmptyStateProps = {
  /** A small line illustration from ./illustrations.tsx. */
  readonly illustration?: ReactNode
  readonly text: string
  readonly detail?: string
  readonly action?: ReactNode
  /** Half as high, above other content. */
  readonly isCompact?: boolean
}

/** An empty list: an illustration, one sentence, one action. */
export const EmptyState = ({ illustration, text, detail, action, isCompact = false }: EmptyStateProps) => (
  <Center data-compact={isCompact || undefined}>
    {illustration}
    <div>
      <Typography color="textPrimary" variant="subtitle1" component="p">
        {text}
      </Typography>
      {detail !== undefined && <Typography variant="body2">{detail}</Typography>}
    </div>
    {action}
  </Center>
)

type ErrorStateProps = {
  readonly text: string
  /** The server's message. Not shown if it equals `text`. */
  readonly detail?: string | undefined
  readonly onRetry?: () => void
  readonly illustration?: ReactNode
  /** Set if the state replaces a whole page. Its text is then the page's heading. */
  readonly isPage?: boolean
}

/** An error with an optional retry button. */
export const ErrorState = ({ text, detail, onRetry, illustration, isPage = false }: ErrorStateProps) => (
  <Center role="alert">
    {illustration}
    <div>
      <Typography color="textPrimary" variant="subtitle1" component={isPage ? 'h1' : 'p'}>
        {text}
      </Typography>
      {detail !== undefined && detail !== text && <Typography variant="body2">{detail}</Typography>}
    </div>
    {onRetry && (
      <Button variant="outlined" color="secondary" onClick={onRetry}>
        Try again
      </Button>
    )}
  </Center>
)
