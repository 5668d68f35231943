import MuiLink from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { LegalSections } from '../../features/legal/legal-sections.tsx'
import { privacy, terms, type LegalText } from '../../features/legal/texts.ts'
import { Wordmark } from '../../ui/brand.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

const Frame = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: `calc(${theme.portal.measure} + ${theme.spacing(10)})`,
  marginInline: 'auto',
  padding: theme.spacing(0, 5, 12),
  paddingTop: 'env(safe-area-inset-top)',
}))

const HomeLink = styled(Link)(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.topBar,
  color: 'inherit',
  textDecoration: 'none',
}))

const Other = styled('p')(({ theme }) => ({ margin: theme.spacing(10, 0, 0) }))

type LegalPageProps = {
  readonly title: string
  readonly text: LegalText
  readonly other: { readonly to: string; readonly title: string }
}

/** Everyone can open this page, also by a link from outside, so the way back is to the portal. */
const LegalPage = ({ title, text, other }: LegalPageProps) => (
  <Frame>
    <header>
      <HomeLink to="/home" aria-label="Minor Programs, home">
        <Wordmark />
      </HomeLink>
    </header>
    <main id="content" tabIndex={-1}>
      <PageTitle title={title} back={{ to: '/home', label: 'the portal' }} />
      <LegalSections text={text} />
      <Other>
        <MuiLink component={Link} to={other.to}>
          {other.title}
        </MuiLink>
      </Other>
    </main>
  </Frame>
)

const titles = { terms: 'Terms', privacy: 'Privacy policy' } as const

export const TermsPage = () => (
  <LegalPage title={titles.terms} text={terms} other={{ to: '/privacy', title: titles.privacy }} />
)

export const PrivacyPage = () => (
  <LegalPage title={titles.privacy} text={privacy} other={{ to: '/terms', title: titles.terms }} />
)
