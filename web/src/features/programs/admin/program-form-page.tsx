import { PageTitle } from '../../../ui/page-title.tsx'

export const ProgramFormPage = () => <PageTitle title="Create New Program" />
