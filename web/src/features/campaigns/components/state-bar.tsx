import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import { describeProgress, segmentsOf, type DeliveryState } from '../progress.ts'

const Track = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 12,
  overflow: 'hidden',
  borderRadius: 3,
  backgroundColor: theme.vars.palette.divider,
  // Nothing outside depends on what moves in here.
  contain: 'strict',
}))

const Part = styled('div', { shouldForwardProp: (name) => name !== 'state' })<{ state: DeliveryState }>(
  ({ theme, state }) => ({
    position: 'absolute',
    insetBlock: 0,
    backgroundColor: theme.vars.palette.portal.states[state],
    // A gap of paper between neighbours, so that the parts can be told apart without their colours.
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

/** Where the recipients of one send stand, as one stacked bar. */
export const StateBar = ({ progress }: { readonly progress: CampaignProgress }) => (
  <Track role="img" aria-label={describeProgress(progress)}>
    {segmentsOf(progress).map(({ state, start, share }) => (
      <Part key={state} state={state} style={{ left: percent(start), width: percent(share) }} />
    ))}
  </Track>
)
