import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { getPerson } from '@portal/contracts/notifications/people'
import { Link } from 'react-router-dom'
import type { z } from 'zod'
import { languageOf } from '../../../ui/text-language.ts'
import { RelativeTime } from '../../../ui/time.tsx'
import { TypeBadge } from '../../../ui/type-badge.tsx'
import { campaignPath } from '../campaign.ts'
import { StateName } from '../components/delivery-states.tsx'

type Delivery = z.output<typeof getPerson.response>['deliveries'][number]

const List = styled('ol')(({ theme }) => ({
  margin: theme.spacing(3, 0, 0),
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(2, 6),
  padding: theme.spacing(4, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)' },
  '& > *': { minWidth: 0 },
  '& .title': { overflowWrap: 'anywhere' },
  '& .title a': {
    color: 'inherit',
    textDecoration: 'underline',
    textDecorationThickness: 1,
    textDecorationColor: theme.vars.palette.divider,
    textUnderlineOffset: '0.2em',
    '&:hover': { textDecorationColor: 'currentcolor' },
  },
  '& .facts': {
    ...theme.typography.caption,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 3),
    marginTop: theme.spacing(1),
    color: theme.vars.palette.text.secondary,
  },
}))

const DeliveryRow = ({ delivery }: { readonly delivery: Delivery }) => {
  const { notificationId, title, type, status, says, deliveredAt, readAt } = delivery
  return (
    <Row>
      <div>
        <Typography variant="subtitle1" component="h3" className="title" lang={languageOf(title)}>
          <Link to={campaignPath(notificationId)}>{title || 'Notification'}</Link>
        </Typography>
        <div className="facts">
          <TypeBadge type={type} />
          {deliveredAt !== undefined && <RelativeTime at={deliveredAt} />}
        </div>
      </div>
      <div>
        <StateName state={status} />
        <Typography variant="body2" color="textSecondary">
          {says}
        </Typography>
        <div className="facts">
          {readAt === undefined ? (
            'Not read'
          ) : (
            <span>
              Read · <RelativeTime at={readAt} />
            </span>
          )}
        </div>
      </div>
    </Row>
  )
}

/** The last notifications of one person, newest first, each with what became of it. */
export const PersonDeliveries = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => (
  <List>
    {deliveries.map((delivery) => (
      <DeliveryRow key={delivery.notificationId} delivery={delivery} />
    ))}
  </List>
)
