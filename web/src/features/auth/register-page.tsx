import { PageTitle } from '../../ui/page-title.tsx'

export const RegisterPage = () => <PageTitle title="Create Account" />
