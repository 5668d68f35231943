import { styled } from '@mui/material/styles'
import { Outlet } from 'react-router-dom'
import { OfflineNotice } from '../offline-notice.tsx'
import { Cover } from './cover.tsx'
import { HomeLink } from './home-link.tsx'

const Spread = styled('div')(({ theme }) => ({
  display: 'grid',
  minHeight: '100dvh',
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

/** The prospectus opened: its cover on the left, the form on the right; on a phone, the form under the mark. */
export const AuthLayout = () => (
  <>
    <Spread>
      <Cover />
      <Page id="content" tabIndex={-1}>
        <PhoneHead>
          <HomeLink />
        </PhoneHead>
        <div>
          <Outlet />
        </div>
      </Page>
    </Spread>
    <OfflineNotice />
  </>
)
