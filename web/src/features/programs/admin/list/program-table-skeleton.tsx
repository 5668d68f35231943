import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { Waiting } from '../../../../ui/skeletons.tsx'

/** As tall as the search, the head and the rows of ./program-table.tsx, on a desk and on a phone. */
const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  height: 61,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down('sm')]: { height: 203, alignItems: 'start', paddingTop: theme.spacing(4) },
}))

const Head = styled('div')(({ theme }) => ({
  height: 105,
  borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
  [theme.breakpoints.down('sm')]: { height: 133 },
}))

export const ProgramTableSkeleton = () => (
  <Waiting role="status" aria-label="Loading programs">
    <Head>
      <Skeleton variant="rounded" height={48} sx={{ maxWidth: { sm: 360 } }} />
    </Head>
    {[38, 30, 44, 34].map((percent) => (
      <Row key={percent}>
        <Skeleton variant="rounded" width={`${percent}%`} height={36} />
        <Skeleton variant="rounded" width="12%" height={20} />
      </Row>
    ))}
  </Waiting>
)
