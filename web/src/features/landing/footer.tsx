import { styled, useTheme } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { Logo, Wordmark } from '../../ui/brand.tsx'
import { Actions, Primary, Secondary } from './brand-buttons.tsx'
import { footer } from './content.ts'
import { Measure } from './sections.tsx'

const Frame = styled('footer')(({ theme }) => ({
  position: 'relative',
  isolation: 'isolate',
  overflow: 'hidden',
  background: theme.vars.palette.portal.brand.background,
  color: theme.vars.palette.portal.brand.text,
  '& .wordmark, & .wordmark svg': { color: 'inherit' },
}))

const LargeMark = styled('div')(({ theme }) => ({
  position: 'absolute',
  zIndex: -1,
  top: '-40%',
  right: '-12%',
  color: theme.vars.palette.portal.brand.mark,
  transform: 'rotate(-12deg)',
  '& svg': { display: 'block' },
}))

const Invitation = styled(Measure)(({ theme }) => ({
  paddingTop: theme.spacing(16),
  '& h2': {
    ...theme.typography.h1,
    fontSize: theme.portal.posters.headline,
    fontWeight: 700,
    letterSpacing: '-0.035em',
    lineHeight: 0.98,
    margin: 0,
    maxWidth: '10ch',
  },
  '& p': { fontSize: theme.portal.posters.lead, margin: theme.spacing(5, 0, 8), maxWidth: '30ch' },
  [theme.breakpoints.up('md')]: { paddingTop: theme.spacing(24) },
}))

const Imprint = styled(Measure)(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  justifyContent: 'space-between',
  gap: theme.spacing(10),
  paddingBlock: theme.spacing(20, 10),
  '& p': { margin: 0, maxWidth: '44ch' },
}))

const LegalLinks = styled('nav')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(6),
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    color: 'inherit',
    textUnderlineOffset: '0.2em',
  },
}))

/**
 * A second hero for visitors, then the logo and the institutions behind the program. It is no section, because the hero has the
 * same name.
 */
export const Footer = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <Frame>
    <LargeMark>
      <Logo size={560} fold={useTheme().vars?.palette.portal.brand.fold ?? 'currentColor'} />
    </LargeMark>
    {!isSignedIn && (
      <Invitation>
        <h2>{footer.title}</h2>
        <p>{footer.lead}</p>
        <Actions>
          <Primary component={Link} to="/register" size="large">
            {footer.join}
          </Primary>
          <Secondary component={Link} to="/login" size="large" variant="outlined">
            {footer.logIn}
          </Secondary>
        </Actions>
      </Invitation>
    )}
    <Imprint>
      <Wordmark size={32} />
      <p>{footer.imprint}</p>
      <LegalLinks aria-label="Legal">
        <Link to="/terms">Terms</Link>
        <Link to="/privacy">Privacy policy</Link>
      </LegalLinks>
    </Imprint>
  </Frame>
)
