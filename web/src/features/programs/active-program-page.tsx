import { PageTitle } from '../../ui/page-title.tsx'

export const ActiveProgramPage = () => <PageTitle title="Program Details" />
