import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import { deliveryStates, type DeliveryState } from '../progress.ts'
import { stateLabels, StateSwatch } from './state-counts.tsx'

const meanings: Readonly<Record<DeliveryState, string>> = {
  live: 'shown on an open screen',
  pushed: 'accepted by the push service for a device',
  pending: 'neither yet',
  skipped: 'no device to push to; it waits in the inbox',
  failed: 'the push service refused; it waits in the inbox',
  cancelled: 'the account was deleted before',
}

const Meanings = styled('dl')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  paddingBlock: theme.spacing(4),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  display: 'grid',
  gap: theme.spacing(1),
  color: theme.vars.palette.text.secondary,
  '& div': { display: 'grid', gridTemplateColumns: '8px 5.5rem 1fr', alignItems: 'baseline', gap: theme.spacing(2) },
  '& dt': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& dd': { margin: 0 },
}))

const legendId = 'state-legend'

type ToggleProps = { readonly open: boolean; readonly onToggle: () => void }

export const LegendToggle = ({ open, onToggle }: ToggleProps) => (
  <Button
    variant="text"
    size="small"
    color="secondary"
    aria-expanded={open}
    aria-controls={legendId}
    onClick={onToggle}
    endIcon={<ChevronDownIcon size={16} style={{ rotate: open ? '180deg' : '0deg' }} />}
    sx={{ mr: -3 }}
  >
    What the states mean
  </Button>
)

/** What the states of a send mean, for whoever asks. */
export const StateLegend = ({ open }: { readonly open: boolean }) => (
  <div id={legendId}>
    {open && (
      <Meanings>
        {deliveryStates.map((state) => (
          <div key={state}>
            <StateSwatch state={state} aria-hidden="true" />
            <dt>{stateLabels[state]}</dt>
            <dd>{meanings[state]}</dd>
          </div>
        ))}
      </Meanings>
    )}
  </div>
)
