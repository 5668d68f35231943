import { styled } from '@mui/material/styles'

/** The parts of a programme's page, one below the other. */
export const DetailsStack = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(8),
}))
