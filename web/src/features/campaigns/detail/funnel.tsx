import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { formatCount } from '../progress.ts'

const Steps = styled('ol')(({ theme }) => ({
  margin: theme.spacing(3, 0, 0),
  padding: 0,
  listStyle: 'none',
  display: 'grid',
  gap: theme.spacing(2),
  '& li': {
    ...theme.typography.body2,
    display: 'grid',
    gridTemplateColumns: '8.5rem minmax(0, 1fr) 7.5rem',
    alignItems: 'center',
    gap: theme.spacing(3),
    fontVariantNumeric: 'tabular-nums',
  },
  // The colors of the chart below: what was delivered, and what was read.
  '& li:last-of-type .track div': { background: theme.vars.palette.primary.main },
  '& .number': { textAlign: 'right', color: theme.vars.palette.text.secondary },
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '@container (max-width: 439px)': {
    '& li': { gridTemplateColumns: 'minmax(0, 1fr) auto', rowGap: theme.spacing(1) },
    '& .track': { gridColumn: '1 / -1', gridRow: 2 },
  },
}))

const Track = styled('div')(({ theme }) => ({
  height: 12,
  borderRadius: 3,
  overflow: 'hidden',
  background: theme.vars.palette.divider,
  '& div': {
    height: '100%',
    background: theme.vars.palette.portal.edge,
    transition: theme.transitions.create('width', {
      duration: theme.transitions.duration.complex,
      easing: theme.transitions.easing.easeOut,
    }),
  },
}))

type Step = { readonly name: string; readonly count: number }

/** How far the notification came, each step a part of the one before. */
const stepsOf = ({
  targeted,
  distributed = targeted,
  withheld = 0,
  live,
  pushed,
  read,
}: CampaignProgress): readonly Step[] => [
  { name: 'Recipients', count: targeted },
  { name: 'In an inbox', count: Math.max(0, distributed - withheld) },
  { name: 'Shown or pushed', count: live + pushed },
  { name: 'Read', count: read },
]

const percentOf = (count: number, targeted: number): string => {
  if (targeted === 0 || count === 0) return '0%'
  const percent = (count / targeted) * 100
  if (percent < 1) return '< 1%'
  return `${Math.floor(percent)}%`
}

/** Shows the way from the recipients to the readers, as bars of one scale with their numbers. */
export const Funnel = ({ progress }: { readonly progress: CampaignProgress }) => (
  <div>
    <Typography variant="h3" id="funnel-heading">
      Reach
    </Typography>
    <Steps aria-labelledby="funnel-heading">
      {stepsOf(progress).map(({ name, count }) => (
        <li key={name}>
          <span>{name}</span>
          <Track className="track" aria-hidden="true">
            <div style={{ width: `${progress.targeted === 0 ? 0 : (count / progress.targeted) * 100}%` }} />
          </Track>
          <span className="number">
            <b>{formatCount(count)}</b> <span>{`· ${percentOf(count, progress.targeted)}`}</span>
          </span>
        </li>
      ))}
    </Steps>
  </div>
)
