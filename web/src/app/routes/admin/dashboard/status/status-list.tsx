import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { DelayedFadeIn } from '../../../../../ui/skeletons.tsx'
import type { Sentence } from './sentences.ts'
import { useStatus } from './use-status.ts'

const List = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0, 8),
  margin: theme.spacing(0, 0, 3),
  padding: 0,
  listStyle: 'none',
  [theme.breakpoints.down('sm')]: { flexDirection: 'column' },
  '& li': {
    ...theme.typography.body1,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(2.5),
    minHeight: theme.portal.sizes.target,
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
  },
  '& li::before': {
    content: '""',
    flex: 'none',
    width: 10,
    height: 10,
    borderRadius: '50%',
    background: 'currentColor',
  },
  // The text says the same as the color.
  '& li.good::before': { color: theme.vars.palette.portal.states.live },
  '& li.work::before': { color: theme.vars.palette.portal.states.pushed },
  '& li.bad::before': { color: theme.vars.palette.portal.states.failed },
  '& li.unknown::before, & li.loading::before': { color: theme.vars.palette.portal.states.pending },
  '& a': {
    color: 'inherit',
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    textUnderlineOffset: '0.2em',
    textDecorationThickness: 1,
  },
}))

const Text = ({ text, to }: Sentence) =>
  to === undefined ? (
    <span>{text}</span>
  ) : (
    <Link to={to}>
      {text}
      <span aria-hidden="true">&nbsp;→</span>
    </Link>
  )

/** Answers whether all is well. A failed check is a sentence of its own, so there is no error state. */
export const StatusList = () => (
  <List aria-label="Is all well?">
    {useStatus().map(({ name, sentence }) => (
      <li key={name} className={sentence?.mood ?? 'loading'}>
        {sentence ? (
          <Text {...sentence} />
        ) : (
          <DelayedFadeIn>
            <Skeleton variant="text" width={160} />
          </DelayedFadeIn>
        )}
      </li>
    ))}
  </List>
)
