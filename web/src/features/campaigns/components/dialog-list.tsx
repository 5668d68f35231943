import { styled } from '@mui/material/styles'

/** Entries in a dialog: what they are about on the left, what can be done on the right or below. */
export const DialogList = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(2, 4),
    paddingBlock: theme.spacing(3),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .about': { flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' },
  '& .name': { ...theme.typography.subtitle1, display: 'block' },
  '& .facts': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.text.secondary },
  '& .actions': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) },
}))
