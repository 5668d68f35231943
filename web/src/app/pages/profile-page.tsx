import { ProfilePage as Profile } from '../../features/profile/profile-page.tsx'
import { ProfilePrograms } from '../../features/programs/components/profile-programs.tsx'

/** The learner's profile, with the programmes they are enrolled in. */
export const ProfilePage = () => <Profile programs={<ProfilePrograms />} />
