import { PageTitle } from '../../ui/page-title.tsx'

export const CampaignsPage = () => <PageTitle title="Notifications" />
