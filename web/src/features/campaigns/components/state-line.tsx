import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import { deliveryStates, formatCount } from '../progress.ts'
import { StateSwatch } from './state-counts.tsx'

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0, 3),
  marginTop: theme.spacing(2),
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  '& > span': { whiteSpace: 'nowrap' },
  '& > :not(.read)': { display: 'inline-flex', alignItems: 'center', gap: 6 },
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& .read': { marginLeft: 'auto' },
}))

/** Beneath a bar where there is room for a line: the states that have anyone, and how many have read it. The bar says the same in words. */
export const StateLine = ({ progress }: { readonly progress: CampaignProgress }) => (
  <Line aria-hidden="true">
    {deliveryStates
      .filter((state) => progress[state] > 0)
      .map((state) => (
        <span key={state}>
          <StateSwatch state={state} />
          {formatCount(progress[state])} {state}
        </span>
      ))}
    <span className="read">
      <b>{formatCount(progress.read)}</b> of {formatCount(progress.targeted)} read
    </span>
  </Line>
)
