import { PageTitle } from '../../ui/page-title.tsx'

export const UniversitiesPage = () => <PageTitle title="Universities" />
