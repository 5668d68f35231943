import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { toServerTime } from '../../../lib/server-clock.ts'
import { useOnline } from '../../../lib/use-online.ts'
import { timeOrDate, useToday } from '../../../ui/time.tsx'

const Line = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2),
  margin: theme.spacing(0, 0, 4),
  color: theme.vars.palette.text.secondary,
}))

type LastUpdatedProps = {
  /** When the list was up to date, by the clock of the device; ms. Null if the server has confirmed it, which needs no line. */
  readonly at: number | null
  readonly onRetry: () => void
}

/** When a list that is shown without the server was up to date. Without a network, the page says so by itself. */
export const LastUpdated = ({ at, onRetry }: LastUpdatedProps) => {
  const isOnline = useOnline()
  const today = useToday()
  if (at === null) return null
  return (
    <Line>
      <span>{`Last updated ${timeOrDate(new Date(toServerTime(at)).toISOString(), today)}`}</span>
      {isOnline && (
        <Button variant="text" size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Line>
  )
}
