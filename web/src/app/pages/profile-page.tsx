import { ProfilePage as Profile } from '../../features/profile/profile-page.tsx'
import { ProfilePrograms } from '../../features/programs/components/profile-programs.tsx'
import { useEnrollments } from '../../features/programs/catalog-queries.ts'
import { useSession } from '../../lib/session.ts'

const LearnerPrograms = () => {
  const { state, reload } = useEnrollments()
  return <ProfilePrograms enrollments={state} onRetry={reload} />
}

/** One's own profile; a learner's with the programmes they are enrolled in, as the faculty teach and do not enrol. */
export const ProfilePage = () => {
  const isFaculty = useSession()?.user.role === 'faculty'
  return <Profile programs={isFaculty ? null : <LearnerPrograms />} />
}
