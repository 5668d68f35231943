import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { Facts } from '../../ui/facts.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Appearance } from './components/appearance.tsx'
import { Avatar } from './components/avatar.tsx'
import { LogOutButton } from './components/log-out-button.tsx'
import { useProfile } from './use-profile.ts'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(8) }))

const Person = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(4),
  '& > div': { minWidth: 0, overflowWrap: 'anywhere' },
}))

const notRecorded = 'Not recorded'

export const ProfilePage = () => {
  const user = useProfile()
  if (!user) return null
  return (
    <>
      <PageTitle title="Profile" />
      <Stack>
        <Person>
          <Avatar name={user.fullName} />
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
        <Appearance />
        <LogOutButton fullWidth size="large" />
      </Stack>
    </>
  )
}
