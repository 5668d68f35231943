import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { ToneBadge } from '../../../ui/type-badge.tsx'

const Rows = styled('div')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > *': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(4),
    minHeight: 56,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    color: theme.vars.palette.text.primary,
    textDecoration: 'none',
    fontWeight: 600,
  },
  '& .later': { color: theme.vars.palette.text.secondary },
  '& svg': { color: theme.vars.palette.text.secondary },
}))

/** Where one goes from the profile, now and one day. */
export const MoreRows = () => (
  <Rows>
    <Link to="/payment">
      Payment History
      <ChevronRightIcon size={20} />
    </Link>
    <div className="later">
      My Community
      <ToneBadge tone="blue">Coming Soon</ToneBadge>
    </div>
  </Rows>
)
