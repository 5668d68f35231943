import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { StateBar, StateCounts } from '../components/delivery-states.tsx'
import { Funnel } from './funnel.tsx'
import { clickedText, distributionText, emailedText, formatCount, postponedText } from '../progress.ts'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  containerType: 'inline-size',
}))

const Beside = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(1, 4),
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
}))

type DeliverySectionProps = { readonly progress: CampaignProgress; readonly emailAvailable: boolean | undefined }

/** The states of all recipients, and beside them how many have read it or lost it by a recall. */
export const DeliverySection = ({ progress, emailAvailable = true }: DeliverySectionProps) => {
  const distribution = distributionText(progress)
  const emailed = emailedText(progress)
  const clicked = clickedText(progress)
  const postponed = postponedText(progress)
  return (
    <Section aria-labelledby="delivery-heading">
      <Typography variant="h2" id="delivery-heading">
        Delivery
      </Typography>
      <StateBar progress={progress} isLarge />
      <StateCounts progress={progress} />
      <Beside>
        <span>
          <b>{formatCount(progress.read)}</b> of <b>{formatCount(progress.targeted)}</b> read
        </span>
        {clicked !== undefined && <span>{clicked}</span>}
        {emailed !== undefined && <span>{emailed}</span>}
        {!emailAvailable && progress.skipped > 0 && <span>No emails: the portal has no mail server</span>}
        {progress.recalled !== undefined && (
          <span>
            Withdrawn from <b>{formatCount(progress.recalled)}</b> inboxes
          </span>
        )}
        {postponed !== undefined && <span>{postponed}</span>}
        {distribution !== undefined && <span role="status">{distribution}</span>}
      </Beside>
      <Funnel progress={progress} />
    </Section>
  )
}
