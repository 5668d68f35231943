import { styled } from '@mui/material/styles'
import { Mark, Wordmark } from '../../ui/brand.tsx'

const Ground = styled('aside')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  height: '100dvh',
  overflow: 'hidden',
  display: 'none',
  flexDirection: 'column',
  justifyContent: 'space-between',
  padding: theme.spacing(10),
  background: theme.vars.palette.portal.ground,
  [theme.breakpoints.up('md')]: { display: 'flex' },
}))

const Facts = styled('dl')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: 'repeat(3, auto)',
  justifyContent: 'start',
  gap: theme.spacing(0, 10),
  margin: 0,
  '& div': { display: 'flex', flexDirection: 'column-reverse' },
  '& dd': {
    margin: 0,
    ...theme.typography.h1,
    fontSize: '3.5rem',
    lineHeight: 1.05,
    fontVariantNumeric: 'tabular-nums',
  },
  '& dt': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
}))

const Ribbon = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: 'auto -8% 18% auto',
  color: theme.vars.palette.primary.main,
  '& svg': { display: 'block', width: 'min(62vh, 92%)', height: 'auto', marginLeft: 'auto' },
}))

/** The cover of the prospectus: the mark, large, and the programme in three numbers. */
export const Cover = () => (
  <Ground aria-label="About the programme">
    <Ribbon>
      <Mark size={640} />
    </Ribbon>
    <Wordmark size={32} />
    <Facts>
      <div>
        <dt>Minor tracks</dt>
        <dd>4</dd>
      </div>
      <div>
        <dt>semesters</dt>
        <dd>3</dd>
      </div>
      <div>
        <dt>credits</dt>
        <dd>18</dd>
      </div>
    </Facts>
  </Ground>
)
