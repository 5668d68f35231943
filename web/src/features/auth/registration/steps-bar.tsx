import { styled } from '@mui/material/styles'
import { steps, type Wizard } from './wizard.ts'

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(3),
  marginBottom: theme.spacing(2),
  ...theme.typography.subtitle2,
  color: theme.vars.palette.text.secondary,
  fontVariantNumeric: 'tabular-nums',
}))

const Segments = styled('span')(({ theme }) => ({
  flex: 1,
  display: 'grid',
  gridTemplateColumns: `repeat(${steps.length}, 1fr)`,
  gap: theme.spacing(1),
}))

const Segment = styled('span', { shouldForwardProp: (name) => name !== 'reached' })<{ reached: boolean }>(
  ({ theme, reached }) => ({
    height: 3,
    backgroundColor: reached ? theme.vars.palette.primary.main : theme.vars.palette.divider,
    transition: theme.transitions.create('background-color'),
  }),
)

/** The current step of the registration. Screen readers announce a change. */
export const StepsBar = ({ step }: { readonly step: Wizard['step'] }) => {
  const current = steps.indexOf(step)
  return (
    <Line>
      <span role="status">{`Step ${current + 1} of ${steps.length}`}</span>
      <Segments aria-hidden="true">
        {steps.map((name, i) => (
          <Segment key={name} reached={i <= current} />
        ))}
      </Segments>
    </Line>
  )
}
