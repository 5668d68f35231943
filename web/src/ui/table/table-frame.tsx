import { styled } from '@mui/material/styles'

/** Rows under a sticky header. On a phone, each row is a card and the header holds the sort buttons. */
export const TableFrame = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontVariantNumeric: 'tabular-nums',
  '& thead': { position: 'sticky', top: 'var(--bar-height, 0px)', zIndex: 1 },
  '& th': {
    padding: 0,
    textAlign: 'left',
    background: theme.vars.palette.background.default,
    borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
  },
  '& td': {
    padding: theme.spacing(2, 4, 2, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& .actions': { width: 1, whiteSpace: 'nowrap', textAlign: 'right', paddingRight: 0 },
  '& .short': { whiteSpace: 'nowrap' },
  [theme.breakpoints.up('sm')]: {
    '& tbody tr:hover td': { background: theme.vars.palette.background.paper },
  },
  // On wide screens the columns keep their width when rows change.
  [theme.breakpoints.up('lg')]: { tableLayout: 'fixed', '& .actions': { width: 'var(--actions-width, 176px)' } },
  [theme.breakpoints.down('sm')]: {
    '&, & thead, & tbody, & tr, & td': { display: 'block' },
    '& thead': { background: theme.vars.palette.background.default },
    '& thead tr::before': {
      content: '"Sort"',
      ...theme.typography.body2,
      flex: 'none',
      color: theme.vars.palette.text.secondary,
    },
    '& th button:not([data-active]) svg': { display: 'none' },
    '& thead tr': {
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      overflowX: 'auto',
      scrollbarWidth: 'none',
      // The edge fades, which shows that there is more.
      paddingRight: theme.spacing(2.5),
      maskImage: `linear-gradient(to left, transparent, ${theme.vars.palette.text.primary} ${theme.spacing(2.5)})`,
      borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
    },
    '& th': { width: 'auto !important', borderBottom: 'none', whiteSpace: 'nowrap', flex: 'none' },
    '& th.actions': { display: 'none' },
    '& tbody tr': { padding: theme.spacing(4, 0, 2), borderBottom: `1px solid ${theme.vars.palette.divider}` },
    '& td': { padding: 0, borderBottom: 'none' },
    '& td[data-label]': {
      display: 'grid',
      gridTemplateColumns: '6rem minmax(0, 1fr)',
      alignItems: 'baseline',
      gap: theme.spacing(3),
      paddingTop: theme.spacing(1),
      textAlign: 'left',
    },
    '& td[data-label]::before': {
      content: 'attr(data-label)',
      ...theme.typography.body2,
      lineHeight: 'inherit',
      color: theme.vars.palette.text.secondary,
    },
    '& td.actions .MuiButton-root': { minWidth: 0 },
    '& td.actions': { width: 'auto', textAlign: 'left', marginLeft: theme.spacing(-3), paddingTop: theme.spacing(1) },
  },
}))
