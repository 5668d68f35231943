import { styled } from '@mui/material/styles'
import { deliveryStates, type DeliveryState } from '../progress.ts'
import { stateLabels, StateSwatch } from './state-counts.tsx'

const meanings: Readonly<Record<DeliveryState, string>> = {
  live: 'shown on an open screen',
  pushed: 'accepted by the push service for a device',
  pending: 'neither yet',
  skipped: 'no device to push to; it waits in the inbox',
  failed: 'the push service refused; it waits in the inbox',
  cancelled: 'withdrawn before it was delivered',
}

const Disclosure = styled('details')(({ theme }) => ({
  ...theme.typography.body2,
  color: theme.vars.palette.text.secondary,
  '& summary': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: 44,
    cursor: 'pointer',
    fontWeight: 600,
    borderRadius: 2,
    listStyle: 'none',
    textDecoration: 'underline',
    textUnderlineOffset: '0.2em',
    textDecorationThickness: 1,
    '&::-webkit-details-marker': { display: 'none' },
  },
  '& dl': { margin: theme.spacing(0, 0, 4), display: 'grid', gap: theme.spacing(1) },
  '& div': { display: 'grid', gridTemplateColumns: '8px 5.5rem 1fr', alignItems: 'baseline', gap: theme.spacing(2) },
  '& dt': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& dd': { margin: 0 },
}))

/** What the states of a send mean, for whoever asks. */
export const StateLegend = () => (
  <Disclosure>
    <summary>What the states mean</summary>
    <dl>
      {deliveryStates.map((state) => (
        <div key={state}>
          <StateSwatch state={state} aria-hidden="true" />
          <dt>{stateLabels[state]}</dt>
          <dd>{meanings[state]}</dd>
        </div>
      ))}
    </dl>
  </Disclosure>
)
