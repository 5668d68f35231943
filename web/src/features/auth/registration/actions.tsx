import { styled } from '@mui/material/styles'

/** Back at the left, as wide as its word; the way on takes the rest. */
export const Actions = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: theme.spacing(3),
}))
