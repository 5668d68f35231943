import { PageTitle } from '../../ui/page-title.tsx'

export const ProfilePage = () => <PageTitle title="Profile" />
