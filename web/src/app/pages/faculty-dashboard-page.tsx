import { PageTitle } from '../../ui/page-title.tsx'

export const FacultyDashboardPage = () => <PageTitle title="Faculty" />
