import { PageTitle } from '../../ui/page-title.tsx'

export const MyProgramsPage = () => <PageTitle title="My Programs" />
