import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { learnerLimits } from '@portal/contracts/catalog/learners'
import { groupedAsInIndia } from '../../../../../lib/number-format.ts'

/** What can be done with the marked learners. */
export const markActions = ['pay', 'semester', 'revert', 'withdraw', 'move'] as const
export type MarkAction = (typeof markActions)[number]

const labels: Readonly<Record<MarkAction, string>> = {
  pay: 'Confirm payment…',
  semester: 'Next semester',
  revert: 'Set back to pending…',
  withdraw: 'Withdraw…',
  move: 'Move…',
}

/** At the end of the window. On a phone, the actions are one line that scrolls. */
const Bar = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 'var(--bar-below, 0px)',
  zIndex: 2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 2),
  padding: theme.spacing(2, 4),
  borderRadius: theme.portal.radii.sheet,
  background: theme.vars.palette.background.paper,
  boxShadow: theme.vars.palette.portal.shadow,
  fontVariantNumeric: 'tabular-nums',
  '& p': { ...theme.typography.subtitle2, margin: theme.spacing(0, 2, 0, 0) },
  '& .MuiButton-root': { flex: 'none' },
  [theme.breakpoints.down('sm')]: { display: 'block', marginInline: theme.spacing(-2) },
  [theme.portal.shortWindow]: { position: 'static' },
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  [theme.breakpoints.down('sm')]: {
    flexWrap: 'nowrap',
    overflowX: 'auto',
    marginInline: theme.spacing(-2),
    padding: 4,
  },
}))

type MarkBarProps = {
  readonly count: number
  readonly isFull: boolean
  readonly disabled: readonly MarkAction[]
  readonly onAction: (action: MarkAction) => void
  readonly onClear: () => void
}

/** How many learners are marked, and what can be done with them. */
export const MarkBar = ({ count, isFull, disabled, onAction, onClear }: MarkBarProps) => (
  <Bar role="region" aria-label="Marked learners">
    <p role="status">
      {`${groupedAsInIndia(count)} marked${isFull ? `, the most at once are ${learnerLimits.marked}` : ''}`}
    </p>
    <Actions>
      {markActions.map((action) => (
        <Button
          key={action}
          size="small"
          variant={action === 'pay' ? 'contained' : 'text'}
          color={action === 'pay' ? 'primary' : action === 'withdraw' || action === 'revert' ? 'error' : 'secondary'}
          disabled={disabled.includes(action)}
          onClick={() => onAction(action)}
        >
          <span>{labels[action]}</span>
        </Button>
      ))}
      <Button size="small" variant="text" color="secondary" onClick={onClear}>
        Clear
      </Button>
    </Actions>
  </Bar>
)
