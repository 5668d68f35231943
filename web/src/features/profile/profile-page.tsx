import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { User } from '@portal/contracts/auth/user'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
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

const Actions = styled('div')(({ theme }) => ({ display: 'flex', gap: theme.spacing(2) }))

const notRecorded = 'Not recorded'

const factsOf = ({ role, studentCode, universityName, mobileNumber }: User) => [
  // The faculty have none.
  ...(role === 'faculty' ? [] : [{ name: 'Student code', value: studentCode || notRecorded }]),
  { name: 'University', value: universityName || notRecorded },
  { name: 'Mobile number', value: mobileNumber || notRecorded },
]

/**
 * `programs` is what the reader is enrolled in; it belongs to another feature. It comes last, as nobody knows beforehand how high
 * it will be: what stands above it can be used at once and stays where it is.
 */
export const ProfilePage = ({ programs }: { programs: ReactNode }) => {
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
        {programs}
      </Stack>
    </>
  )
}
