import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { User } from '@portal/contracts/auth/user'
import { Link } from 'react-router-dom'
import { Appearance } from '../../features/profile/components/appearance.tsx'
import { Avatar } from '../../features/profile/components/avatar.tsx'
import { LogOutButton } from '../../features/profile/components/log-out-button.tsx'
import { MoreRows } from '../../features/profile/components/more-rows.tsx'
import { useProfile } from '../../features/profile/use-profile.ts'
import { useEnrollments } from '../../features/programs/catalog-queries.ts'
import { ProfilePrograms } from '../../features/programs/components/profile-programs.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

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

const Actions = styled('div')(({ theme }) => ({ display: 'flex', gap: theme.spacing(2) }))

const notRecorded = 'Not recorded'

const factsOf = ({ role, studentCode, universityName, mobileNumber }: User) => [
  // The faculty have none.
  ...(role === 'faculty' ? [] : [{ name: 'Student code', value: studentCode || notRecorded }]),
  { name: 'University', value: universityName || notRecorded },
  { name: 'Mobile number', value: mobileNumber || notRecorded },
]

const LearnerPrograms = () => {
  const { state, reload } = useEnrollments()
  return <ProfilePrograms enrollments={state} onRetry={reload} />
}

/** The reader's own profile; a learner's ends with their programs, because how much room these take is not known beforehand. */
export const ProfilePage = () => {
  const user = useProfile()
  if (!user) return null
  return (
    <>
      <PageTitle
        title="Profile"
        actions={
          <Actions>
            <Button component={Link} to="/edit-profile" variant="outlined" color="secondary">
              Edit
            </Button>
            <LogOutButton />
          </Actions>
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
        <Facts facts={factsOf(user)} />
        <MoreRows />
        <Appearance />
        {user.role !== 'faculty' && <LearnerPrograms />}
      </Stack>
    </>
  )
}
