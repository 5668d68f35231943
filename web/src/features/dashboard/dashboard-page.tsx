import { PageTitle } from '../../ui/page-title.tsx'

export const DashboardPage = () => <PageTitle title="Dashboard" />
