import GlobalStyles from '@mui/material/GlobalStyles'
import { styled, useTheme } from '@mui/material/styles'
import { indiaZone } from '@portal/contracts/shared/india-time'
import { lazy, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { loadInBackground } from '../../lib/load-module.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Logo } from '../../ui/brand.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { OfflineNotice } from '../offline-notice.tsx'
import { AccountMenu } from './account-menu.tsx'
import { adminItems, Brand, Content, Frame, Item, Links, Rail, ZoneNote } from './admin-frame.tsx'
import { BottomBar } from './bottom-bar.tsx'

const name = 'Admin'

/** It has them in its form. */
const sendPath = '/admin/notifications'

const HeldSends = lazy(async () => {
  const { HeldSends: component } = await loadInBackground(() => import('../../features/campaigns/held/held-send.tsx'))
  return { default: component }
})

/** This notice is in view on each page until it is over, in space of its own. */
const HeldAbove = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: theme.spacing(2),
  zIndex: theme.zIndex.appBar,
  display: 'grid',
  gap: theme.spacing(2),
  maxWidth: theme.portal.sizes.column,
  '&:not(:empty)': { marginBottom: theme.spacing(5) },
}))

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
  const { pathname } = useLocation()
  const hasRail = useMedia(useTheme().breakpoints.up('md'))
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
          <ZoneNote>
            {hasRail ? `Times are in ${indiaZone.name} (${indiaZone.shortName})` : `Times in ${indiaZone.shortName}`}
          </ZoneNote>
          <AccountMenu isCompact={!hasRail} />
        </Rail>
        <Content id="content" tabIndex={-1}>
          {pathname !== sendPath && (
            <Suspense fallback={null}>
              <HeldAbove>
                <HeldSends />
              </HeldAbove>
            </Suspense>
          )}
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
