import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { Waiting } from '../../../ui/skeletons.tsx'

const Stack = styled(Waiting)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))
const Cover = styled(Skeleton)(({ theme }) => ({ margin: theme.spacing(0, -5), borderRadius: 0 }))

export const DetailsSkeleton = () => (
  <Stack role="status">
    <Cover variant="rectangular" height={252} />
    <Typography variant="body2" color="textSecondary">
      Loading program details...
    </Typography>
    <Skeleton variant="rounded" height={96} />
    <Skeleton variant="rounded" height={148} />
  </Stack>
)
