import { useState } from 'react'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { LatestNotifications } from '../../../features/notifications/components/latest-notifications.tsx'
import { useSession } from '../../../lib/session.ts'
import { PageTitle } from '../../../ui/page-title.tsx'

const Today = styled(Typography)(({ theme }) => ({ margin: theme.spacing(-5, 0, 8) }))

const dayFormat = new Intl.DateTimeFormat('en-IN', { weekday: 'long', day: 'numeric', month: 'long' })

const greetingAt = (hour: number): string => {
  if (hour < 5) return 'Good evening'
  if (hour < 12) return 'Good morning'
  return hour < 17 ? 'Good afternoon' : 'Good evening'
}

export const HomePage = () => {
  const session = useSession()
  const [now] = useState(() => new Date())
  const firstName = session?.user.fullName.trim().split(/\s+/)[0] ?? ''
  const greeting = greetingAt(now.getHours())
  return (
    <>
      <PageTitle title={firstName === '' ? greeting : `${greeting}, ${firstName}`} tabTitle="Home" />
      <Today color="textSecondary">{dayFormat.format(now)}</Today>
      <LatestNotifications />
    </>
  )
}
