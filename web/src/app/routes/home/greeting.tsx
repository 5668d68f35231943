import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { LatestNotifications } from '../../../features/notifications/components/latest-notifications.tsx'
import { useSession } from '../../../lib/session.ts'
import { PageTitle } from '../../../ui/page-title.tsx'

/** The part of the landing page that only signed-in users see. */
const Band = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  marginInline: 'auto',
  padding: theme.spacing(2, 5, 12),
  '& > *': { minWidth: 0 },
  // Reserve the height of three notifications, so that the content below does not move when they load.
  '& > :last-child': { minHeight: theme.spacing(99) },
  [theme.breakpoints.up('md')]: {
    // The rows reach the edges of their column, as on a phone.
    '& > :last-child': { paddingInline: theme.spacing(5) },
    gridTemplateColumns: '5fr 7fr',
    gap: theme.spacing(14),
    padding: theme.spacing(8, 10, 16),
    // As large as the title of a section, since it has a column of its own.
    '& h1': { fontSize: theme.portal.posters.section, lineHeight: 1.08, letterSpacing: '-0.025em', textWrap: 'wrap' },
  },
}))

const Today = styled(Typography)(({ theme }) => ({
  marginTop: theme.spacing(-5),
  [theme.breakpoints.up('md')]: { marginTop: theme.spacing(-2) },
}))

const dayFormat = new Intl.DateTimeFormat('en-IN', { weekday: 'long', day: 'numeric', month: 'long' })

const greetingAt = (hour: number): string => {
  if (hour < 5) return 'Good evening'
  if (hour < 12) return 'Good morning'
  return hour < 17 ? 'Good afternoon' : 'Good evening'
}

export const Greeting = () => {
  const session = useSession()
  const [now] = useState(() => new Date())
  const firstName = session?.user.fullName.trim().split(/\s+/)[0] ?? ''
  const greeting = greetingAt(now.getHours())
  return (
    <Band>
      <div>
        <PageTitle title={firstName === '' ? greeting : `${greeting}, ${firstName}`} tabTitle="Home" />
        <Today color="textSecondary">{dayFormat.format(now)}</Today>
      </div>
      <LatestNotifications />
    </Band>
  )
}
