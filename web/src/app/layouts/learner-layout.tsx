import GlobalStyles from '@mui/material/GlobalStyles'
import { styled } from '@mui/material/styles'
import { Suspense, type ReactNode } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'
import { Wordmark } from '../../ui/brand.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'

/** On wide screens the column is set off by a background that fills the window. */
const PageBackground = () => (
  <GlobalStyles
    styles={(theme) => ({
      [theme.breakpoints.up('sm')]: { 'html, body': { backgroundColor: theme.vars.palette.portal.backdrop } },
    })}
  />
)

const Column = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  width: '100%',
  maxWidth: theme.portal.sizes.column,
  minHeight: ['100vh', '100dvh'],
  marginInline: 'auto',
  background: theme.vars.palette.background.default,
  [theme.breakpoints.up('sm')]: { boxShadow: `0 0 0 1px ${theme.vars.palette.divider}` },
  [`&[data-panes]`]: {
    [theme.breakpoints.up(theme.portal.sizes.panes)]: {
      maxWidth: theme.portal.sizes.listPane + theme.portal.sizes.detailPane,
    },
  },
}))

const Content = styled('main')(({ theme }) => ({
  flex: 1,
  padding: theme.spacing(5, 5, 8),
  paddingTop: `calc(env(safe-area-inset-top) + ${theme.spacing(5)})`,
  // See ui/action-bar.tsx.
  '&:has(> [data-fills])': { display: 'flex', flexDirection: 'column' },
}))

/** px. From this width on, the logo fits beside the wider column of the inbox. */
const brandBesidePanes = 1400

/** The logo beside the column on a desktop, at the same position as in the top bar of the landing page. */
const DesktopBrand = styled('header')(({ theme }) => ({
  position: 'fixed',
  top: (theme.portal.sizes.topBar - theme.portal.sizes.target) / 2,
  left: `calc(max(0px, 50% - ${theme.portal.sizes.page / 2}px) + ${theme.spacing(10)})`,
  display: 'none',
  [theme.breakpoints.up('md')]: { display: 'block' },
  // The wider column of the inbox leaves room only at the edge of a wide window.
  '&[data-panes]': {
    [theme.breakpoints.up(theme.portal.sizes.panes)]: { display: 'none' },
    [theme.breakpoints.up(brandBesidePanes)]: { display: 'block', left: theme.spacing(5) },
  },
  '& a': {
    display: 'flex',
    minHeight: theme.portal.sizes.target,
    textDecoration: 'none',
    borderRadius: theme.portal.radii.control,
  },
}))

/** The inbox shows the list and a notification side by side. */
const usePanes = () => (/^\/notification(\/|$)/.test(useLocation().pathname) ? { 'data-panes': '' } : {})

const InnerColumn = ({ children }: { children: ReactNode }) => <Column {...usePanes()}>{children}</Column>

const Brand = () => (
  <DesktopBrand {...usePanes()}>
    <Link to="/home" aria-label="Minor Programs, home">
      <Wordmark />
    </Link>
  </DesktopBrand>
)

export const LearnerLayout = () => (
  <>
    <PageBackground />
    <SkipLink />
    <Brand />
    <InnerColumn>
      <Content id="content" tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </Content>
      <BottomNavigation />
    </InnerColumn>
  </>
)
