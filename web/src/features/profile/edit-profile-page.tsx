import { PageTitle } from '../../ui/page-title.tsx'

export const EditProfilePage = () => <PageTitle title="Edit Profile" />
