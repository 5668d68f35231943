import { styled } from '@mui/material/styles'
import { exactTime } from '../../../ui/time.ts'

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  '& p': {
    margin: theme.spacing(3, 0),
    padding: theme.spacing(2, 4),
    borderRadius: 6,
    backgroundColor: theme.vars.palette.portal.tones.yellow.ground,
    color: theme.vars.palette.portal.tones.yellow.text,
  },
}))

/** Says that what stands below no longer follows the deliveries. */
export const StaleNotice = ({ since }: { readonly since: number | undefined }) => (
  <Line role="status">
    {since !== undefined && (
      <p>
        Live updates stopped at {exactTime(new Date(since).toISOString())}. The counts are from then; they catch up when
        the connection is back.
      </p>
    )}
  </Line>
)
