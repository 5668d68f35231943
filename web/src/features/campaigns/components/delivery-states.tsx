import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import {
  countOfState,
  deliveryStates,
  describeProgress,
  clickedText,
  emailedText,
  formatCount,
  postponedText,
  segmentsOf,
  stateLabels,
  type DeliveryState,
} from '../progress.ts'

/** Always all six states in the same order, so that two campaigns can be compared at a glance. */
const CountGrid = styled('dl')(({ theme }) => ({
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

/** The color of a state beside its name. */
export const StateSwatch = styled('span', { shouldForwardProp: (name) => name !== 'state' })<{ state: DeliveryState }>(
  ({ theme, state }) => ({
    flex: 'none',
    width: 8,
    height: 8,
    borderRadius: 2,
    backgroundColor: theme.vars.palette.portal.states[state],
  }),
)

const Name = styled('span')(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
}))

export const StateCounts = ({ progress }: { readonly progress: CampaignProgress }) => (
  <CountGrid>
    {deliveryStates.map((state) => (
      <Count key={state} none={progress[state] === 0}>
        <dt>
          <StateSwatch state={state} aria-hidden="true" />
          {stateLabels[state]}
        </dt>
        <dd>{formatCount(progress[state])}</dd>
      </Count>
    ))}
  </CountGrid>
)

/** The name of a state with its color, for one recipient. */
export const StateName = ({ state }: { readonly state: DeliveryState }) => (
  <Name>
    <StateSwatch state={state} aria-hidden="true" />
    {stateLabels[state]}
  </Name>
)

const Track = styled('div', { shouldForwardProp: (name) => name !== 'isLarge' })<{ isLarge: boolean }>(
  ({ theme, isLarge }) => ({
    position: 'relative',
    height: isLarge ? 16 : 12,
    overflow: 'hidden',
    borderRadius: 3,
    backgroundColor: theme.vars.palette.divider,
    // The segments do not affect the layout of the page.
    contain: 'strict',
  }),
)

const Segment = styled('div', { shouldForwardProp: (name) => name !== 'state' })<{ state: DeliveryState }>(
  ({ theme, state }) => ({
    position: 'absolute',
    insetBlock: 0,
    backgroundColor: theme.vars.palette.portal.states[state],
    // A gap between neighbors, so that the segments can be distinguished without color.
    boxShadow: `1px 0 0 ${theme.vars.palette.background.paper}`,
    transition: theme.transitions.create(['left', 'width'], {
      duration: theme.transitions.duration.complex,
      easing: theme.transitions.easing.easeOut,
    }),
    ...(state === 'failed' && {
      backgroundImage: `repeating-linear-gradient(135deg, transparent 0 3px, ${theme.vars.palette.background.paper} 3px 4px)`,
    }),
  }),
)

const percent = (share: number) => `${(share * 100).toFixed(3)}%`

type StateBarProps = {
  readonly progress: CampaignProgress
  /** The height of the bar on the page of a campaign. */
  readonly isLarge?: boolean
}

/** The delivery states of a campaign as a stacked bar. */
export const StateBar = ({ progress, isLarge = false }: StateBarProps) => (
  <Track isLarge={isLarge} role="img" aria-label={describeProgress(progress)}>
    {segmentsOf(progress).map(({ state, start, share }) => (
      <Segment key={state} state={state} style={{ left: percent(start), width: percent(share) }} />
    ))}
  </Track>
)

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

/**
 * The line below a bar: the non-empty states and the number of reads. Hidden from screen readers, since the label of the bar
 * says the same.
 */
export const StateLine = ({ progress }: { readonly progress: CampaignProgress }) => (
  <Line aria-hidden="true">
    {deliveryStates
      .filter((state) => progress[state] > 0)
      .map((state) => (
        <span key={state}>
          <StateSwatch state={state} />
          {countOfState(state, progress[state])}
        </span>
      ))}
    {emailedText(progress) !== undefined && <span>{emailedText(progress)}</span>}
    {postponedText(progress) !== undefined && <span>{postponedText(progress)}</span>}
    <span className="read">
      <b>{formatCount(progress.read)}</b> <span>{`of ${formatCount(progress.targeted)} read`}</span>
    </span>
    {clickedText(progress) !== undefined && <span>{clickedText(progress)}</span>}
  </Line>
)

const meanings: Readonly<Record<DeliveryState, string>> = {
  live: 'Seen in an open tab',
  pushed: 'Delivered to the push service',
  pending: 'In progress, or held while they have quiet hours or after many pushes',
  skipped: 'Not pushed: no device, turned off by them, or too old; it’s in their inbox',
  failed: 'Push rejected; it’s in their inbox',
  cancelled: 'Stopped by an admin, or the account was deleted',
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

/** Explains the delivery states. */
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
