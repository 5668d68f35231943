import GlobalStyles from '@mui/material/GlobalStyles'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { Logo } from '../../ui/brand.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { OfflineNotice } from '../offline-notice.tsx'
import { AccountMenu } from './account-menu.tsx'
import { adminItems, Brand, Content, Frame, Item, Links, Rail } from './admin-frame.tsx'
import { BottomBar } from './bottom-bar.tsx'

const name = 'Admin'

const RailLinks = () => {
  const { pathname } = useLocation()
  return (
    <Links aria-label={name}>
      {adminItems.map(({ to, label, icon: Glyph, isActive }) => {
        const active = isActive(pathname)
        return (
          <Item key={to} to={to} aria-current={active ? 'page' : undefined}>
            <Glyph size={20} weight={active ? 2.25 : 1.75} />
            {label}
          </Item>
        )
      })}
    </Links>
  )
}

/** What sticks to the bottom of the window stays above the bar, and messages stay below the brand and the title. */
const PhoneMeasures = () => (
  <GlobalStyles
    styles={(theme) => ({
      ':root': {
        '--bar-below': 'calc(var(--bottom-bar) + env(safe-area-inset-bottom))',
        '--page-head': theme.spacing(31),
      },
    })}
  />
)

/** The links are in a rail on a desktop, and in a bar at the bottom on a phone, as on learners' pages. */
export const AdminLayout = () => {
  const hasRail = useMediaQuery(useTheme().breakpoints.up('md'), { noSsr: true })
  return (
    <>
      <Frame>
        <SkipLink />
        <Rail>
          <Brand to="/admin/dashboard">
            <Logo size={24} />
            Admin Panel
          </Brand>
          {hasRail && <RailLinks />}
          <AccountMenu isCompact={!hasRail} />
        </Rail>
        <Content id="content" tabIndex={-1}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </Content>
      </Frame>
      {hasRail ? (
        <OfflineNotice />
      ) : (
        <>
          <PhoneMeasures />
          <BottomBar label={name} items={adminItems} notice={<OfflineNotice />} />
        </>
      )}
    </>
  )
}
