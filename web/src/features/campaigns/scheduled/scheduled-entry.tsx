import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ScheduledSend } from '@portal/contracts/notifications/scheduled-send'
import type { MissedReason } from '@portal/contracts/notifications/send-time'
import { momentInIndia } from '@portal/contracts/notifications/moment-in-india'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { languageOf } from '../../../ui/text-language.ts'
import { useNow } from '../../../ui/time.tsx'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { senderName } from '../campaign.ts'
import { countdown } from './send-time.ts'
import { editPath } from './use-edited-schedule.ts'

export const Entry = styled('li')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(2),
  padding: theme.spacing(4, 0),
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { overflowWrap: 'anywhere' },
}))

export const EntryHead = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'baseline',
  gap: theme.spacing(4),
}))

const Meta = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'grid',
  gap: theme.spacing(1),
  justifyItems: 'start',
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
}))

const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const missedTexts: Readonly<Record<MissedReason, string>> = {
  late: 'The portal was not running at that time, or its clock was set.',
  restored: 'A backup was restored since, so it may have been sent before.',
  'no-recipients': 'No one could get it at that time.',
  'program-deleted': 'A program that it was for is deleted.',
  'too-many-recipients': 'It had too many recipients at that time.',
}

const byText = ({ scheduledBy, changedBy }: ScheduledSend): string => {
  const scheduled = `Scheduled by ${senderName(scheduledBy)}`
  if (!changedBy) return scheduled
  return `${scheduled}, changed by ${changedBy.userId === scheduledBy.userId ? 'them' : senderName(changedBy)}`
}

const Countdown = ({ sendAt }: { readonly sendAt: string }) => countdown(Date.parse(sendAt), useNow())

type ScheduledEntryProps = {
  readonly send: ScheduledSend
  readonly onSendNow: (send: ScheduledSend) => void
  readonly onDiscard: (send: ScheduledSend) => void
}

/** One send that waits for its time, or for an admin. */
export const ScheduledEntry = memo(({ send, onSendNow, onDiscard }: ScheduledEntryProps) => {
  const { notificationId, title, says, sendAt, missed } = send
  const about = `: ${title}`
  return (
    <Entry>
      <EntryHead>
        <Typography variant="subtitle1" component="h3" lang={languageOf(title)}>
          {title}
        </Typography>
        {missed ? (
          <ToneBadge tone="red">Missed</ToneBadge>
        ) : (
          <Typography variant="caption" color="textSecondary">
            <Countdown sendAt={sendAt} />
          </Typography>
        )}
      </EntryHead>
      <Meta>
        <span>{says}</span>
        <span>
          {missed
            ? `It was due at ${momentInIndia(Date.parse(sendAt))}. ${missedTexts[missed]}`
            : momentInIndia(Date.parse(sendAt))}
        </span>
        <span>{byText(send)}</span>
      </Meta>
      <Actions>
        <Button
          component={Link}
          to={editPath(notificationId)}
          variant="outlined"
          color="secondary"
          size="small"
          aria-label={`Edit${about}`}
        >
          Edit
        </Button>
        <Button
          variant="outlined"
          color="secondary"
          size="small"
          aria-label={`Send now${about}`}
          onClick={() => onSendNow(send)}
        >
          Send now
        </Button>
        <Button
          variant="text"
          color="secondary"
          size="small"
          aria-label={`Discard${about}`}
          onClick={() => onDiscard(send)}
        >
          Discard
        </Button>
      </Actions>
    </Entry>
  )
})
