import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { Wordmark } from '../../ui/brand.tsx'

const Line = styled(Link)(({ theme }) => ({
  alignSelf: 'flex-start',
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  color: 'inherit',
  textDecoration: 'none',
}))

/** The mark as a link to the landing page, which is open to visitors. */
export const HomeLink = ({ size }: { size?: number }) => (
  <Line to="/home">
    <Wordmark {...(size !== undefined && { size })} />
  </Line>
)
