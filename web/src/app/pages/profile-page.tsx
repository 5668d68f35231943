import { ProfilePage as Profile } from '../../features/profile/profile-page.tsx'
import { ProfilePrograms } from '../../features/programs/components/profile-programs.tsx'
import { useEnrollments } from '../../features/programs/use-enrollments.ts'

/** The learner's profile, with the programmes they are enrolled in. */
export const ProfilePage = () => {
  const { state, reload } = useEnrollments()
  return <Profile programs={<ProfilePrograms enrollments={state} onRetry={reload} />} />
}
