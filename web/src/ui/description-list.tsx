import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const List = styled('dl')(({ theme }) => ({
  margin: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > div': {
    display: 'grid',
    gridTemplateColumns: 'minmax(112px, 30%) minmax(0, 1fr)',
    gap: theme.spacing(4),
    alignItems: 'baseline',
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& dt': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  // Align amounts by their last digit.
  '&[data-amounts="true"] dd': { textAlign: 'right' },
}))

type DescriptionListProps = {
  readonly items: readonly { readonly name: string; readonly value: ReactNode }[]
  /** Aligns the values to the right, as on a bill. */
  readonly areAmounts?: boolean
}

/** Names and values, separated by hairlines. */
export const DescriptionList = ({ items, areAmounts = false }: DescriptionListProps) => (
  <List data-amounts={areAmounts}>
    {items.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </List>
)
