import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { Link } from 'react-router-dom'
import { exactTime } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge, TypeBadge } from '../../../ui/type-badge.tsx'
import { campaignPath, sentByText } from '../campaign.ts'
import type { CampaignDetails } from './use-campaign.ts'

const Facts = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 4),
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
  '& .MuiButton-root': { marginInline: theme.spacing(-3) },
}))

type CopyIdProps = { readonly id: NotificationId }

const CopyId = ({ id }: CopyIdProps) => {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id)
      toast.success('ID copied', { subject: 'copy' })
    } catch (error) {
      console.warn('copying the id failed', error)
      toast.info(`The ID is ${id}`, { subject: 'copy', durationMs: 20_000 })
    }
  }
  return (
    <Button variant="text" size="small" color="secondary" onClick={() => void copy()}>
      Copy ID
    </Button>
  )
}

/** A link per reminder; their titles are all the same. */
const Reminders = ({ ids }: { readonly ids: readonly NotificationId[] }) =>
  ids.map((id, index) => (
    <MuiLink key={id} component={Link} to={campaignPath(id)}>
      {ids.length === 1 ? 'Reminder sent' : `Reminder ${index + 1} sent`}
    </MuiLink>
  ))

/** The line below the title: type, sender, time and related notifications. */
export const CampaignFacts = ({ details }: { readonly details: CampaignDetails }) => {
  const { campaign, remindedBy } = details
  const sentBy = sentByText(campaign.sentBy)
  return (
    <Facts>
      <TypeBadge type={campaign.type} />
      {campaign.isUrgent && <ToneBadge tone="red">Urgent</ToneBadge>}
      {sentBy !== undefined && <span>{sentBy}</span>}
      <time dateTime={campaign.timestamp}>{exactTime(campaign.timestamp)}</time>
      {campaign.remindsOf !== undefined && (
        <MuiLink component={Link} to={campaignPath(campaign.remindsOf)}>
          Reminder of an earlier notification
        </MuiLink>
      )}
      <Reminders ids={remindedBy} />
      <CopyId id={campaign.id} />
    </Facts>
  )
}
