import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { Wordmark } from '../../ui/brand.tsx'
import { barSlackPx, useBarPlacement } from './bar-placement.ts'
import { Measure } from './sections.tsx'

/** Over the page it is 64 px high instead of 72, and a hairline separates it. */
const Bar = styled('header')(({ theme }) => ({
  position: 'sticky',
  top: -barSlackPx,
  zIndex: theme.zIndex.appBar,
  background: theme.vars.palette.background.default,
  paddingTop: 'env(safe-area-inset-top)',
  transition: theme.transitions.create(['transform', 'box-shadow']),
  '&[data-placement="hidden"]:not(:has(:focus-visible))': { transform: 'translateY(-100%)' },
  '&[data-placement="floating"]': { boxShadow: `0 1px 0 ${theme.vars.palette.divider}` },
}))

const Row = styled(Measure)(({ theme }) => ({
  // Centers the content in the part that is visible over the page.
  '[data-placement="floating"] &': { paddingTop: barSlackPx },
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  height: theme.portal.sizes.topBar,
  '& .home': {
    display: 'flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    textDecoration: 'none',
    borderRadius: theme.portal.radii.control,
  },
}))

const Sections = styled('nav')(({ theme }) => ({
  display: 'none',
  gap: theme.spacing(2),
  marginLeft: 'auto',
  marginRight: theme.spacing(8),
  // The last link aligns with the right edge of the content.
  '&:last-child': { marginRight: theme.spacing(-3) },
  '& a': {
    display: 'flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    paddingInline: theme.spacing(3),
    borderRadius: theme.portal.radii.control,
    color: theme.vars.palette.text.secondary,
    fontWeight: 500,
    textDecoration: 'none',
    '&:hover': { color: theme.vars.palette.text.primary },
  },
  [theme.breakpoints.up('md')]: { display: 'flex' },
}))

const VisitorActions = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(1),
  '& a': { whiteSpace: 'nowrap' },
  // There is room for one button. At the top of the page, the hero has the other.
  [theme.breakpoints.down(theme.portal.sizes.smallPhone)]: {
    display: 'grid',
    '& a': { gridArea: '1 / 1', justifySelf: 'end' },
    '& .login': { marginRight: theme.spacing(-3) },
    '[data-placement="top"] & .join, [data-placement]:not([data-placement="top"]) & .login': { visibility: 'hidden' },
  },
}))

const sections = [
  { at: '#programs', name: 'Programs' },
  { at: '#why', name: 'Why a Minor' },
  { at: '#contact', name: 'Contact' },
  { at: '#faq', name: 'Questions' },
] as const

/** The wordmark, links to the sections where they fit, and the buttons of visitors. Scrolling up brings it back. */
export const TopBar = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <Bar data-placement={useBarPlacement()}>
    <Row>
      <Link className="home" to="/home" aria-label="Minor Programs, home">
        <Wordmark />
      </Link>
      <Sections aria-label="On this page">
        {sections.map(({ at, name }) => (
          <a key={at} href={at}>
            {name}
          </a>
        ))}
      </Sections>
      {!isSignedIn && (
        <VisitorActions>
          <Button component={Link} to="/login" className="login" variant="text" color="secondary">
            Login
          </Button>
          <Button component={Link} to="/register" className="join" sx={{ paddingInline: 4 }}>
            Sign Up
          </Button>
        </VisitorActions>
      )}
    </Row>
  </Bar>
)
