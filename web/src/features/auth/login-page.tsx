import { PageTitle } from '../../ui/page-title.tsx'

export const LoginPage = () => <PageTitle title="Log in" />
