import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Waiting } from '../../ui/skeletons.tsx'
import { Appearance } from './components/appearance.tsx'
import { Avatar } from './components/avatar.tsx'
import { LogOutButton } from './components/log-out-button.tsx'
import { MoreRows } from './components/more-rows.tsx'
import { useProfile } from './use-profile.ts'

const Stack = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(8),
}))

const Person = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(4),
  '& > div': { minWidth: 0, overflowWrap: 'anywhere' },
}))

const notRecorded = 'Not recorded'

const ProgramsSkeleton = () => (
  <Waiting role="status" aria-label="Loading your programs">
    <Skeleton variant="rounded" height={84} />
  </Waiting>
)

/**
 * `programs` is what the reader is enrolled in; it belongs to another feature. It is null until that is known, and what stands
 * below waits for it, so that nothing is pushed down.
 */
export const ProfilePage = ({ programs }: { programs: ReactNode }) => {
  const user = useProfile()
  if (!user) return null
  return (
    <>
      <PageTitle
        title="Profile"
        actions={
          <Button component={Link} to="/edit-profile" variant="outlined" color="secondary">
            Edit
          </Button>
        }
      />
      <Stack>
        <Person>
          <Avatar name={user.fullName} image={user.profileImage} />
          <div>
            <Typography variant="h2">{user.fullName}</Typography>
            <Typography color="textSecondary">{user.personalEmail}</Typography>
          </div>
        </Person>
        <Facts
          facts={[
            { name: 'Student code', value: user.studentCode || notRecorded },
            { name: 'University', value: user.universityName || notRecorded },
            { name: 'Mobile number', value: user.mobileNumber || notRecorded },
          ]}
        />
        {programs === null ? (
          <ProgramsSkeleton />
        ) : (
          <>
            {programs}
            <MoreRows />
            <Appearance />
            <LogOutButton fullWidth size="large" />
          </>
        )}
      </Stack>
    </>
  )
}
