import { styled } from '@mui/material/styles'
import { dayText } from '../../../ui/time.ts'

const Strip = styled('p')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(3, 4),
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.portal.tones.yellow.text,
  background: theme.vars.palette.portal.tones.yellow.ground,
}))

/** A programme that is no longer on offer, as it last was. */
export const WithdrawnNotice = ({ since }: { since: string }) => (
  <Strip role="status">
    <strong>Withdrawn</strong>
    {` on ${dayText(since)}. This is your record of the program as it last was.`}
  </Strip>
)
