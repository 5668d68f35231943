import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { CampaignAction } from '@portal/contracts/notifications/http'
import { useRef, useState } from 'react'
import { exactTime } from '../../../ui/time.tsx'
import { deletedAccount } from '../campaign.ts'
import { formatCount } from '../progress.ts'
import { people } from './actions.ts'

const List = styled('ol')(({ theme }) => ({
  margin: theme.spacing(3, 0, 0),
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    ...theme.typography.body2,
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 4),
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums', minWidth: 184 },
  '& .reason': { color: theme.vars.palette.text.secondary, flexBasis: '100%' },
}))

/** 'sent it', after the admin's name. */
const deedOf = ({ kind, recipients, apiKeyId }: CampaignAction): string => {
  switch (kind) {
    case 'sent':
      return apiKeyId === undefined ? 'sent it' : 'sent it with an API key'
    case 'cancel-requested':
      return 'stopped the pending deliveries'
    case 'resent':
      return recipients === undefined ? 'sent it again' : `sent it again to ${people(recipients)}`
    case 'recalled':
      return 'recalled it'
    case 'exported':
      return recipients === undefined ? 'exported recipients' : `exported ${formatCount(recipients)} recipients`
  }
}

const Entry = ({ action }: { readonly action: CampaignAction }) => (
  <li>
    <time dateTime={action.at}>{exactTime(action.at)}</time>
    <span>
      <b>{action.by.fullName || deletedAccount}</b> <span>{deedOf(action)}</span>
    </span>
    {action.reason !== undefined && <span className="reason">{`Reason: ${action.reason}`}</span>}
  </li>
)

/** Each export is an entry. More would push the recipients away. */
const firstShown = 5

/** Who did what with the notification, when and why, newest first. */
export const ActionHistory = ({ actions }: { readonly actions: readonly CampaignAction[] }) => {
  const [isWhole, setWhole] = useState(false)
  const hasMore = actions.length > firstShown && !isWhole
  const list = useRef<HTMLOListElement>(null)
  /** The button disappears, so the focus moves to the list. */
  const showWhole = () => {
    list.current?.focus()
    setWhole(true)
  }
  const shown = actions.toReversed().slice(0, hasMore ? firstShown : undefined)
  return (
    <section aria-labelledby="actions-heading">
      <Typography variant="h2" id="actions-heading">
        History
      </Typography>
      <List tabIndex={-1} ref={list}>
        {shown.map((action) => (
          <Entry key={`${action.at} ${action.kind}`} action={action} />
        ))}
      </List>
      {hasMore && (
        <Button variant="text" color="secondary" size="small" onClick={showWhole}>
          <span>{`Show all ${formatCount(actions.length)}`}</span>
        </Button>
      )}
    </section>
  )
}
