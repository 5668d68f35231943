import { styled } from '@mui/material/styles'

/** Links to other pages, one a row. */
export const LinkRows = styled('div')(({ theme }) => ({
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
