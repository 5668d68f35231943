import { PageTitle } from '../../ui/page-title.tsx'

export const ResetPasswordPage = () => <PageTitle title="Reset Password" />
