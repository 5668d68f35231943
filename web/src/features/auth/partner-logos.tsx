import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

type Partner = { readonly name: string; readonly mark: ReactNode }

/** The institutions behind the program, with logos of one line weight. */
const partners: readonly Partner[] = [
  {
    name: 'Technical institute',
    // A pair of dividers over the arc it has drawn.
    mark: (
      <>
        <circle cx="16" cy="6" r="2.5" />
        <path d="M14.9 8.2 8 26M17.1 8.2 24 26M11.2 17.8h9.6M4 22.5a14 14 0 0 0 24 0" />
      </>
    ),
  },
  {
    name: 'Skills council',
    // Steps, the last one flagged.
    mark: <path d="M3 27h7v-6h7v-6h7V9h5M24 9V3.5l5 2-5 2" />,
  },
  {
    name: 'Implementation partner',
    // Two frames, joined.
    mark: (
      <>
        <path d="M20 12V6a1.5 1.5 0 0 0-1.5-1.5h-12A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H12" />
        <rect x="12" y="12" width="15" height="15" rx="1.5" />
        <path d="m16 19.5 2.5 2.5 4.5-5" />
      </>
    ),
  },
  {
    name: 'Partner universities',
    // A portico.
    mark: <path d="M4 12 16 4.5 28 12zM7.5 12v12M13 12v12M19 12v12M24.5 12v12M4 24h24M4 27.5h24" />,
  },
]

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: theme.spacing(4, 0, 0),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  display: 'grid',
  gridTemplateColumns: 'repeat(4, 1fr)',
  gap: theme.spacing(2),
  color: theme.vars.palette.text.secondary,
}))

const Item = styled('li')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'start',
  gap: theme.spacing(2),
  textAlign: 'center',
}))

const Mark = styled('svg')({
  width: 32,
  height: 32,
  fill: 'none',
  stroke: 'currentcolor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
})

export const PartnerLogos = () => (
  <footer>
    <List aria-label="Offered by">
      {partners.map(({ name, mark }) => (
        <Item key={name}>
          <Mark viewBox="0 0 32 32" aria-hidden="true">
            {mark}
          </Mark>
          <Typography variant="caption">{name}</Typography>
        </Item>
      ))}
    </List>
  </footer>
)
