import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { Wordmark } from '../../ui/brand.tsx'
import { Measure } from './sections.tsx'

const Bar = styled('header')(({ theme }) => ({
  background: theme.vars.palette.background.default,
  paddingTop: 'env(safe-area-inset-top)',
}))

const Row = styled(Measure)(({ theme }) => ({
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
  // The hero has the same button.
  [theme.breakpoints.down(theme.portal.sizes.smallPhone)]: {
    marginRight: theme.spacing(-3),
    '& .join': { display: 'none' },
  },
}))

const sections = [
  { at: '#programs', name: 'Programs' },
  { at: '#why', name: 'Why a Minor' },
  { at: '#contact', name: 'Contact' },
  { at: '#faq', name: 'Questions' },
] as const

/** The wordmark, links to the sections where they fit, and the buttons of visitors. */
export const TopBar = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <Bar>
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
          <Button component={Link} to="/login" variant="text" color="secondary">
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
