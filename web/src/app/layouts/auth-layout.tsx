import { styled, useTheme } from '@mui/material/styles'
import { Link, Outlet } from 'react-router-dom'
import { Logo, Wordmark } from '../../ui/brand.tsx'
import { OfflineNotice } from '../offline-notice.tsx'

const Line = styled(Link)(({ theme }) => ({
  alignSelf: 'flex-start',
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  color: 'inherit',
  textDecoration: 'none',
}))

/** The logo, which links to the landing page. */
export const HomeLink = ({ size }: { size?: number }) => (
  <Line to="/home">
    <Wordmark {...(size !== undefined && { size })} />
  </Line>
)

const Panel = styled('aside')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  height: ['100vh', '100dvh'],
  overflow: 'hidden',
  isolation: 'isolate',
  display: 'none',
  flexDirection: 'column',
  justifyContent: 'space-between',
  padding: theme.spacing(12),
  background: theme.vars.palette.portal.brand.background,
  color: theme.vars.palette.portal.brand.text,
  '& .wordmark, & .wordmark svg': { color: 'inherit' },
  [theme.breakpoints.up('md')]: { display: 'flex' },
}))

/** The logo, larger than the panel and cropped by its edges. */
const LargeMark = styled('div')(({ theme }) => ({
  position: 'absolute',
  zIndex: -1,
  top: '50%',
  left: '50%',
  color: theme.vars.palette.portal.brand.mark,
  transform: 'translate(-50%, -50%) rotate(-12deg)',
  '& svg': { display: 'block', width: 'max(150vh, 1100px)', height: 'auto' },
}))

const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(3, auto)',
  justifyContent: 'start',
  gap: theme.spacing(0, 12),
  margin: 0,
  '& div': { display: 'flex', flexDirection: 'column-reverse' },
  '& dd': {
    ...theme.typography.h1,
    margin: 0,
    fontSize: theme.portal.pieces.brandFigure,
    lineHeight: 1.05,
    fontVariantNumeric: 'tabular-nums',
  },
  '& dt': { ...theme.typography.body1 },
}))

/** The left half on a desktop: the logo and the program in three numbers. */
const BrandPanel = () => (
  <Panel aria-label="About the program">
    <LargeMark>
      <Logo size={1100} fold={useTheme().vars?.palette.portal.brand.fold ?? 'currentColor'} />
    </LargeMark>
    <HomeLink size={32} />
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
  </Panel>
)

const TwoColumns = styled('div')(({ theme }) => ({
  display: 'grid',
  minHeight: ['100vh', '100dvh'],
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(520px, 1fr)' },
}))

const Page = styled('main')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'center',
  width: '100%',
  maxWidth: theme.portal.sizes.column,
  marginInline: 'auto',
  padding: theme.spacing(6, 5, 8),
  [theme.breakpoints.down('md')]: { justifyContent: 'flex-start', gap: theme.spacing(8) },
}))

const PhoneHead = styled('div')(({ theme }) => ({ [theme.breakpoints.up('md')]: { display: 'none' } }))

/** The brand panel on the left and the form on the right; on a phone, the form below the logo. */
export const AuthLayout = () => (
  <>
    <TwoColumns>
      <BrandPanel />
      <Page id="content" tabIndex={-1}>
        <PhoneHead>
          <HomeLink />
        </PhoneHead>
        <div>
          <Outlet />
        </div>
      </Page>
    </TwoColumns>
    <OfflineNotice />
  </>
)
