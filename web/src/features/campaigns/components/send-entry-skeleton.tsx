import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'

/** As tall as ./send-entry.tsx with two lines of text. */
const Entry = styled('div')(({ theme }) => ({
  display: 'grid',
  alignContent: 'space-between',
  height: 219,
  padding: theme.spacing(5, 0),
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))

/** Where an entry of the history is going to be. */
export const SendEntrySkeleton = () => (
  <Entry>
    <Skeleton variant="rounded" width="46%" height={20} />
    <Skeleton variant="rounded" width="92%" height={16} />
    <Skeleton variant="rounded" width="68%" height={16} />
    <Skeleton variant="rounded" width={132} height={20} />
    <Skeleton variant="rounded" height={12} />
    <Skeleton variant="rounded" width="84%" height={32} />
  </Entry>
)
