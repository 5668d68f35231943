import { styled } from '@mui/material/styles'
import { useStaleSince } from '../../../lib/use-stale-since.ts'
import { exactTime } from '../../../ui/time.tsx'

/** A shorter interruption of the connection is not shown. */
const staleAfterMs = 2000

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  '& p': {
    margin: theme.spacing(3, 0),
    padding: theme.spacing(2, 4),
    borderRadius: 6,
    backgroundColor: theme.vars.palette.portal.tones.yellow.background,
    color: theme.vars.palette.portal.tones.yellow.text,
  },
}))

/** Shows that the counts below are no longer live. */
export const StaleNotice = () => {
  const since = useStaleSince(staleAfterMs)
  return (
    <Line role="status">
      {since !== undefined && (
        <p>
          {`Live updates stopped at ${exactTime(new Date(since).toISOString())}. The counts are from then; they catch up when the connection is back.`}
        </p>
      )}
    </Line>
  )
}
