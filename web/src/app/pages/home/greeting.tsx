import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { LatestNotifications } from '../../../features/notifications/components/latest-notifications.tsx'
import { useSession } from '../../../lib/session.ts'
import { PageTitle } from '../../../ui/page-title.tsx'

/** The learner's own part, before what everybody sees. */
const Band = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  marginInline: 'auto',
  padding: theme.spacing(2, 5, 12),
  '& > *': { minWidth: 0 },
  // The room of three notifications and of their skeleton, also where there are fewer: what follows does not move when they arrive.
  '& > :last-child': { minHeight: theme.spacing(99) },
  [theme.breakpoints.up('md')]: {
    // The list runs up to the edges of its column, as it does on a phone.
    '& > :last-child': { paddingInline: theme.spacing(5) },
    gridTemplateColumns: '4fr 7fr',
    gap: theme.spacing(20),
    padding: theme.spacing(8, 10, 16),
  },
}))

const Today = styled(Typography)(({ theme }) => ({ margin: theme.spacing(-5, 0, 0) }))

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
