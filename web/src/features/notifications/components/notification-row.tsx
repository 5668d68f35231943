import { keyframes } from '@emotion/react'
import { styled } from '@mui/material/styles'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { Link } from 'react-router-dom'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { TypeBadge } from '../../../ui/type-badge.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

const open = keyframes({ from: { gridTemplateRows: '0fr', opacity: 0 }, to: { gridTemplateRows: '1fr', opacity: 1 } })

/** Opens from nothing, so that the rows beneath glide instead of jumping. */
const Slot = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateRows: '1fr',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > *': { minHeight: 0, overflow: 'hidden' },
  '&.fresh': {
    animation: `${open} ${theme.transitions.duration.complex}ms ${theme.transitions.easing.easeOut}`,
    '& a::before': { opacity: 0, transition: `opacity ${theme.portal.motion.arrivalFadeMs}ms linear` },
    '@starting-style': { '& a::before': { opacity: 1 } },
  },
}))

const Row = styled(Link)(({ theme }) => ({
  position: 'relative',
  isolation: 'isolate',
  display: 'grid',
  gap: theme.spacing(1),
  padding: theme.spacing(4, 5),
  color: 'inherit',
  textDecoration: 'none',
  outlineOffset: '-4px !important',
  // The ground of a new row, which fades.
  '&::before': {
    content: '""',
    position: 'absolute',
    inset: 0,
    zIndex: -1,
    opacity: 0,
    background: theme.vars.palette.portal.accentSoft,
  },
  '&::after': {
    content: '""',
    position: 'absolute',
    inset: '0 auto 0 0',
    width: 3,
    background: theme.vars.palette.primary.main,
    transform: 'scaleX(0)',
    transformOrigin: 'left',
    transition: `transform ${theme.transitions.duration.standard}ms ${theme.transitions.easing.easeOut}`,
  },
  '&.unread': { background: theme.vars.palette.background.paper },
  '&.unread::after': { transform: 'none' },
  '&:hover': { background: theme.vars.palette.action.hover },
  '& .title': {
    fontWeight: 500,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.secondary,
  },
  '&.unread .title': { fontWeight: 700, color: theme.vars.palette.text.primary },
  '& .message': {
    ...theme.typography.body2,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.secondary,
  },
  '& .facts': {
    ...theme.typography.caption,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    marginTop: theme.spacing(1),
    color: theme.vars.palette.text.secondary,
  },
}))

const Dot = styled('span')(({ theme }) => ({
  display: 'inline-block',
  width: 8,
  height: 8,
  marginRight: theme.spacing(2),
  borderRadius: '50%',
  verticalAlign: '0.08em',
  background: theme.vars.palette.primary.main,
}))

type NotificationRowProps = {
  readonly item: InboxItem
  /** It has just come in. */
  readonly fresh: boolean
  readonly onOpen: (item: InboxItem) => void
}

/** Title, one line of the message, what kind it is and how long ago. */
export const NotificationRow = ({ item, fresh, onOpen }: NotificationRowProps) => (
  <Slot className={fresh ? 'fresh' : undefined}>
    <div>
      <Row to={`/notification/${item._id}`} className={item.isRead ? undefined : 'unread'} onClick={() => onOpen(item)}>
        <span className="title">
          {!item.isRead && (
            <>
              <Dot />
              <VisuallyHidden>Unread: </VisuallyHidden>
            </>
          )}
          {item.title || 'Notification'}
        </span>
        <span className="message">{item.message}</span>
        <span className="facts">
          <TypeBadge type={item.type} />
          <RelativeTime at={item.deliveredAt} />
        </span>
      </Row>
    </div>
  </Slot>
)
