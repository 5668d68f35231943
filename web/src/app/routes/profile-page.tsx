import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { User } from '@portal/contracts/auth/user'
import { knownLanguage, type Language, languageNames } from '@portal/contracts/shared/languages'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Appearance } from '../../features/profile/components/appearance.tsx'
import { DownloadDataRow } from '../../features/profile/components/download-data-row.tsx'
import { InstallRow } from '../../features/profile/components/install-row.tsx'
import { LinkRows } from '../../features/profile/components/link-rows.tsx'
import { LogOutButton } from '../../features/profile/components/log-out-button.tsx'
import { useProfile } from '../../features/profile/use-profile.ts'
import { useEnrollments } from '../../features/programs/catalog-queries.ts'
import { ProfilePrograms } from '../../features/programs/components/profile-programs.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ChevronRightIcon } from '../../ui/icons.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { ToneBadge } from '../../ui/type-badge.tsx'

/** Links to other pages. My Community does not exist yet. */
const MoreRows = () => (
  <LinkRows>
    <Link to="/profile/notifications">
      Notification settings
      <ChevronRightIcon size={20} />
    </Link>
    <Link to="/profile/sessions">
      Where you are signed in
      <ChevronRightIcon size={20} />
    </Link>
    <Link to="/profile/security">
      Two-step verification
      <ChevronRightIcon size={20} />
    </Link>
    <Link to="/payment">
      Payment History
      <ChevronRightIcon size={20} />
    </Link>
    <DownloadDataRow />
    <div className="later">
      My Community
      <ToneBadge tone="blue">Coming Soon</ToneBadge>
    </div>
  </LinkRows>
)

const AvatarFrame = styled('span')(({ theme }) => ({
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  overflow: 'hidden',
  width: 72,
  height: 72,
  borderRadius: '50%',
  fontFamily: theme.typography.h1.fontFamily,
  fontSize: theme.portal.pieces.initials,
  fontWeight: 650,
  color: theme.vars.palette.primary.main,
  background: theme.vars.palette.portal.accentSoft,
  '& img': { width: '100%', height: '100%', objectFit: 'cover' },
}))

type AvatarProps = { readonly name: string; readonly image: string }

/** The profile image, or the initials if it is missing or broken. */
const Avatar = ({ name, image }: AvatarProps) => {
  const [brokenImage, setBrokenImage] = useState<string | null>(null)
  return (
    <AvatarFrame aria-hidden="true">
      {image === '' || image === brokenImage ? (
        initialsOf(name)
      ) : (
        <img src={image} alt="" referrerPolicy="no-referrer" onError={() => setBrokenImage(image)} />
      )}
    </AvatarFrame>
  )
}

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

const LanguageName = ({ language }: { readonly language: Language }) => (
  <span lang={language}>{languageNames[language]}</span>
)

const factsOf = ({ role, studentCode, universityName, mobileNumber, notificationLanguage }: User) => [
  // Faculty members have no student code.
  ...(role === 'faculty' ? [] : [{ name: 'Student code', value: studentCode || notRecorded }]),
  { name: 'University', value: universityName || notRecorded },
  { name: 'Mobile number', value: mobileNumber || notRecorded },
  {
    name: 'Language of notifications',
    value: <LanguageName language={knownLanguage(notificationLanguage)} />,
  },
]

const LearnerPrograms = () => {
  const { state, reload } = useEnrollments()
  return (
    <>
      <ProfilePrograms enrollments={state} onRetry={reload} />
      {state.kind !== 'loading' && <InstallRow />}
    </>
  )
}

/**
 * The user's own profile. A learner's programs come late, because their height is unknown until they have loaded. The row below
 * them waits for that, so that nothing shifts.
 */
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
        <DescriptionList items={factsOf(user)} />
        <MoreRows />
        <Appearance />
        {user.role === 'faculty' ? <InstallRow /> : <LearnerPrograms />}
      </Stack>
    </>
  )
}
