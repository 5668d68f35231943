import { PageTitle } from '../../ui/page-title.tsx'

export const HomePage = () => <PageTitle title="Home" />
