import { keyframes } from '@emotion/react'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { useQueryClient } from '../../../lib/query.ts'
import { RelativeTime, useToday } from '../../../ui/time.tsx'
import { keepPlace } from '../../../ui/keep-place.ts'
import { languageOf } from '../../../ui/text-language.ts'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { TypeBadge } from '../../../ui/type-badge.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { updateInbox, useInbox } from '../inbox-cache.ts'
import { emptyInbox, type Inbox } from '../inbox.ts'
import { groupByDay } from './group-by-day.ts'

const unfold = keyframes({ from: { gridTemplateRows: '0fr', opacity: 0 }, to: { gridTemplateRows: '1fr', opacity: 1 } })

/** A new row grows from zero height, so that the rows below slide instead of jumping. */
const Slot = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateRows: '1fr',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > *': { minHeight: 0, overflow: 'hidden' },
  '&.fresh': {
    animation: `${unfold} ${theme.transitions.duration.complex}ms ${theme.transitions.easing.easeOut}`,
    '& a::before': { opacity: 0, transition: `opacity ${theme.portal.motion.arrivalFadeMs}ms linear` },
    '@starting-style': { '& a::before': { opacity: 1 } },
  },
}))

const RowLink = styled(Link)(({ theme }) => ({
  position: 'relative',
  isolation: 'isolate',
  display: 'grid',
  gap: theme.spacing(1),
  padding: theme.spacing(4, 5),
  color: 'inherit',
  textDecoration: 'none',
  outlineOffset: '-4px !important',
  // The highlight of a new row, which fades.
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
  '&[aria-current="page"]': { background: theme.vars.palette.action.selected },
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
  '& .title:not(:lang(en))': { lineHeight: `${theme.typography.body1.lineHeight} !important` },
  '& .message:not(:lang(en))': { lineHeight: `${theme.typography.body2.lineHeight} !important` },
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
  marginInlineEnd: theme.spacing(2),
  borderRadius: '50%',
  verticalAlign: '0.08em',
  background: theme.vars.palette.primary.main,
}))

/** A withdrawn notification: one line that cannot be opened. */
const WithdrawnLine = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 4),
  margin: 0,
  padding: theme.spacing(4, 5),
  color: theme.vars.palette.text.secondary,
  '& time': theme.typography.caption,
}))

/** How rows lead to their notifications. */
export type RowLinks = {
  /** The query of the list, which the address of a notification keeps for the way back. */
  readonly search: string
  /** The id of the notification that is open beside the list. */
  readonly openId?: string | undefined
  /** Opening one leaves the list where it is. */
  readonly keepsPlace: boolean
}
const plainLinks: RowLinks = { search: '', keepsPlace: false }

type NotificationRowProps = {
  readonly item: InboxItem
  readonly links: RowLinks
  /** Whether it has just arrived. */
  readonly fresh: boolean
  readonly onOpen: (item: InboxItem) => void
}

/** Keeps the focus in the row: a withdrawn notification loses its link while the link may have the focus. */
const useFocusInRow = (isWithdrawn: boolean) => {
  const row = useRef<HTMLLIElement>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    if (isWithdrawn && hasFocus.current) row.current?.focus()
  }, [isWithdrawn])
  return {
    ref: row,
    tabIndex: isWithdrawn ? -1 : undefined,
    onFocus: () => void (hasFocus.current = true),
    onBlur: () => void (hasFocus.current = false),
  }
}

const NotificationRow = ({ item, links, fresh, onOpen }: NotificationRowProps) => {
  const isWithdrawn = item.withdrawnAt !== undefined
  const focusInRow = useFocusInRow(isWithdrawn)
  return (
    <Slot className={fresh && !isWithdrawn ? 'fresh' : undefined} {...focusInRow}>
      {isWithdrawn ? (
        <WithdrawnLine>
          {item.title}
          <RelativeTime at={item.deliveredAt} />
        </WithdrawnLine>
      ) : (
        <div>
          <RowLink
            to={`/notification/${item._id}${links.search}`}
            state={links.keepsPlace ? keepPlace : undefined}
            aria-current={links.openId === item._id ? 'page' : undefined}
            data-row={item._id}
            className={item.isRead ? undefined : 'unread'}
            onClick={() => onOpen(item)}
          >
            <span className="title" lang={item.lang ?? languageOf(item.title)}>
              {!item.isRead && (
                <>
                  <Dot />
                  <VisuallyHidden lang="en">Unread: </VisuallyHidden>
                </>
              )}
              <span dir="auto">{item.title || 'Notification'}</span>
            </span>
            <span className="message" lang={item.lang ?? languageOf(item.message)} dir="auto">
              {item.message}
            </span>
            <span className="facts">
              <TypeBadge type={item.type} />
              <RelativeTime at={item.deliveredAt} />
            </span>
          </RowLink>
        </div>
      )}
    </Slot>
  )
}

/** Extends to the edges of the learner's column. */
const List = styled('ul')(({ theme }) => ({
  margin: theme.spacing(0, -5),
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const Day = styled('section')(({ theme }) => ({
  '& > h2': {
    ...theme.typography.caption,
    margin: theme.spacing(0, -5),
    padding: theme.spacing(4, 5, 2),
    fontWeight: 600,
    color: theme.vars.palette.text.secondary,
  },
  '&:first-of-type > h2': { paddingTop: 0 },
}))

const freshOf = ({ fresh }: Inbox) => fresh

type NotificationListProps = {
  readonly items: readonly InboxItem[]
  readonly onOpen: (item: InboxItem) => void
  readonly links?: RowLinks
  /** Whether each day has a heading. */
  readonly hasDays?: boolean
}

export const NotificationList = ({ items, onOpen, links = plainLinks, hasDays = false }: NotificationListProps) => {
  const client = useQueryClient()
  const fresh = useInbox(freshOf)
  const today = useToday()
  // Rows that were new on this visit are not new on the next.
  useEffect(() => () => updateInbox(client, (inbox) => ({ ...inbox, fresh: emptyInbox.fresh })), [client])
  const listOf = (rows: readonly InboxItem[]) => (
    <List>
      {rows.map((item) => (
        <NotificationRow key={item._id} item={item} links={links} fresh={fresh.has(item._id)} onOpen={onOpen} />
      ))}
    </List>
  )
  if (!hasDays) return listOf(items)
  return groupByDay(items, today).map(({ day, rows }) => (
    <Day key={day} aria-label={day}>
      <h2>{day}</h2>
      {listOf(rows)}
    </Day>
  ))
}

const SkeletonRows = styled(DelayedFadeIn)(({ theme }) => ({
  margin: theme.spacing(0, -5),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

/** A skeleton that is as tall as a row with title, message and badge. */
const SkeletonRow = styled('div')(({ theme }) => ({
  height: 115,
  padding: theme.spacing(5, 5, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > * + *': { marginTop: theme.spacing(2) },
}))

const widths = ['62%', '48%', '70%', '54%', '66%', '44%'] as const

export const ListSkeleton = ({ rows = 6 }: { rows?: number }) => (
  <SkeletonRows role="status" aria-label="Loading notifications">
    {widths.slice(0, rows).map((width) => (
      <SkeletonRow key={width}>
        <Skeleton variant="rounded" width={width} height={18} />
        <Skeleton variant="rounded" width="88%" height={14} />
        <Skeleton variant="rounded" width={112} height={22} />
      </SkeletonRow>
    ))}
  </SkeletonRows>
)
