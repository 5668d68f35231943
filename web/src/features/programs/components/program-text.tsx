import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'

const Text = styled(Typography)(({ theme }) => ({
  maxWidth: theme.portal.measure,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
}))

/** A programme's description, as the admin broke its lines. */
export const ProgramText = ({ children }: { children: string }) => (children === '' ? null : <Text>{children}</Text>)
