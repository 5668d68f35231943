import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { Waiting } from '../../../ui/skeletons.tsx'

const Rows = styled(Waiting)(({ theme }) => ({
  margin: theme.spacing(0, -5),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

/** As high as a row: title, message, badge. */
const Row = styled('div')(({ theme }) => ({
  height: 115,
  padding: theme.spacing(5, 5, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > * + *': { marginTop: theme.spacing(2) },
}))

const widths = ['62%', '48%', '70%', '54%', '66%', '44%'] as const

export const ListSkeleton = ({ rows = 6 }: { rows?: number }) => (
  <Rows role="status" aria-label="Loading notifications">
    {widths.slice(0, rows).map((width) => (
      <Row key={width}>
        <Skeleton variant="rounded" width={width} height={18} />
        <Skeleton variant="rounded" width="88%" height={14} />
        <Skeleton variant="rounded" width={112} height={22} />
      </Row>
    ))}
  </Rows>
)
