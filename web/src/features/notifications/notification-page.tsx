import { PageTitle } from '../../ui/page-title.tsx'

export const NotificationPage = () => <PageTitle title="Notification Details" />
