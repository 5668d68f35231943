import { styled } from '@mui/material/styles'
import { LogOutButton } from '../../../../features/profile/components/log-out-button.tsx'
import { PageTitle } from '../../../../ui/page-title.tsx'
import { ActivitySection } from './activity/activity-section.tsx'
import { CountCards } from './count-cards.tsx'
import { RecentSends } from './recent-sends.tsx'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(12) }))

export const DashboardPage = () => (
  <>
    <PageTitle title="Dashboard" actions={<LogOutButton />} />
    <Stack>
      <CountCards />
      <ActivitySection />
      <RecentSends />
    </Stack>
  </>
)
