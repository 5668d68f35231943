import { PageTitle } from '../../ui/page-title.tsx'

export const PaymentPage = () => <PageTitle title="Payment History" />
