import { PageTitle } from '../../ui/page-title.tsx'

export const NotificationsPage = () => <PageTitle title="Notifications" />
