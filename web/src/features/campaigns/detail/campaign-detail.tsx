import { styled } from '@mui/material/styles'
import { withdrawnTitle } from '@portal/contracts/notifications/notification'
import { PageTitle } from '../../../ui/page-title.tsx'
import { isRecalled } from '../campaign.ts'
import { StaleNotice } from '../components/stale-notice.tsx'
import { ActionHistory } from './action-history.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { CampaignFacts } from './campaign-facts.tsx'
import { DeliverySection } from './delivery-section.tsx'
import { MessagePreview } from './message-preview.tsx'
import { RecipientsSection } from './recipients-section.tsx'
import { TimelineSection } from './timeline-section.tsx'
import { useOnProgress, type CampaignDetails } from './use-campaign.ts'

const Width = styled('div')({ containerType: 'inline-size' })

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(8),
  marginTop: theme.spacing(6),
  '& > *': { minWidth: 0 },
  '@container (min-width: 800px)': { gridTemplateColumns: 'minmax(0, 1fr) 340px', alignItems: 'start' },
}))

const Sections = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  marginTop: theme.spacing(10),
}))

/** Reasons, actions and the numbers over time are not part of a progress report. */
const reloadEveryMs = 5_000

type CampaignDetailProps = {
  readonly details: CampaignDetails
  readonly back: { readonly to: string; readonly label: string }
  readonly reload: () => Promise<unknown>
}

/** The page of one campaign. */
export const CampaignDetail = ({ details, back, reload }: CampaignDetailProps) => {
  const { campaign } = details
  const { progress } = campaign
  useOnProgress(progress, reloadEveryMs, reload)
  const recalled = isRecalled(campaign, progress)
  const title = recalled ? withdrawnTitle : campaign.title || 'Notification'
  return (
    <>
      <PageTitle title={title} tabTitle="Sent Notification" back={back} />
      <CampaignFacts details={details} />
      <CampaignActions details={details} onDone={() => void reload()} />
      <StaleNotice />
      <Width>
        <Columns>
          <DeliverySection progress={progress} emailAvailable={details.emailAvailable} />
          <MessagePreview
            title={title}
            message={campaign.message}
            type={campaign.type}
            button={campaign.button}
            image={campaign.image}
            translation={campaign.translation}
            at={campaign.timestamp}
            isRecalled={recalled}
          />
        </Columns>
      </Width>
      <Sections>
        <TimelineSection sentAt={campaign.timestamp} firstHour={details.firstHour} byDay={details.byDay} />
        <ActionHistory actions={details.actions} />
        <RecipientsSection id={campaign.id} progress={progress} />
      </Sections>
    </>
  )
}
