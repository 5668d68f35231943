import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import { deliveryStates, formatCount, type DeliveryState } from '../progress.ts'

export const stateLabels: Readonly<Record<DeliveryState, string>> = {
  live: 'Live',
  pushed: 'Pushed',
  pending: 'Pending',
  skipped: 'Skipped',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** Always all six in the same six places, so that the eye compares two sends without reading the labels. */
const Grid = styled('dl')(({ theme }) => ({
  margin: 0,
  display: 'grid',
  gridTemplateColumns: 'repeat(6, minmax(0, 1fr))',
  gap: theme.spacing(2),
  '@container (max-width: 439px)': { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
}))

const Count = styled('div', { shouldForwardProp: (name) => name !== 'none' })<{ none: boolean }>(({ theme, none }) => ({
  display: 'flex',
  flexDirection: 'column-reverse',
  '& dd': {
    margin: 0,
    fontFamily: theme.typography.h3.fontFamily,
    fontWeight: none ? 400 : 600,
    fontSize: theme.typography.body1.fontSize,
    lineHeight: 24 / 16,
    fontVariantNumeric: 'tabular-nums',
    color: none ? theme.vars.palette.text.secondary : theme.vars.palette.text.primary,
  },
  '& dt': {
    ...theme.typography.caption,
    color: theme.vars.palette.text.secondary,
    display: 'flex',
    alignItems: 'center',
    gap: 6,
    whiteSpace: 'nowrap',
  },
}))

export const StateSwatch = styled('span', { shouldForwardProp: (name) => name !== 'state' })<{ state: DeliveryState }>(
  ({ theme, state }) => ({
    flex: 'none',
    width: 8,
    height: 8,
    borderRadius: 2,
    backgroundColor: theme.vars.palette.portal.states[state],
  }),
)

export const StateCounts = ({ progress }: { readonly progress: CampaignProgress }) => (
  <Grid>
    {deliveryStates.map((state) => (
      <Count key={state} none={progress[state] === 0}>
        <dt>
          <StateSwatch state={state} aria-hidden="true" />
          {stateLabels[state]}
        </dt>
        <dd>{formatCount(progress[state])}</dd>
      </Count>
    ))}
  </Grid>
)
