import { PageTitle } from '../../ui/page-title.tsx'

export const AdminProgramsPage = () => <PageTitle title="Programs" />
