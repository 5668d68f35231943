import { PageTitle } from '../../ui/page-title.tsx'

export const AdminProfilePage = () => <PageTitle title="Profile" />
