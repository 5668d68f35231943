import { PageTitle } from '../../ui/page-title.tsx'

export const InactiveProgramPage = () => <PageTitle title="Program Details" />
