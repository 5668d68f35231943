import { countUnread } from '@portal/contracts/notifications/inbox-http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type InboxChange, socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '../../lib/http.ts'
import { loadInBackground } from '../../lib/load-module.ts'
import { useSession } from '../../lib/session.ts'
import { useSetAtom } from 'jotai'
import { useQueryClient } from '../../lib/query.ts'
import { useSocket } from '../../lib/socket.ts'
import { areUpdatesPausedAtom } from '../../lib/use-online.ts'
import { useStaleSince } from '../../lib/use-stale-since.ts'
import { tabBadgeCountAtom } from '../../ui/page-title.tsx'
import { languageOf } from '../../ui/text-language.ts'
import { defaultDurationMs, useToast } from '../../ui/toast/atoms.ts'
import { LiveRegion } from '../../ui/visually-hidden.tsx'
import { isShownIn, lacksEntry } from './apply-changes.ts'
import { readInbox, unreadOf, updateInbox, useInbox } from './inbox-cache.ts'
import { subscribeToInbox, type InboxVersion } from './inbox-feed.ts'
import {
  beginLog,
  emptyInbox,
  isBehind,
  updateHead,
  type Inbox,
  receiveChanges,
  resetInbox,
  withdrawnBy,
  type InboxHead,
} from './inbox.ts'
import { watchReadOrWithdrawn, type IsReadOrWithdrawn } from './read-or-withdrawn.ts'
import { reloadPages } from './use-inbox.ts'
import { reloadNotifications } from './use-notification.ts'

const firstRetryMs = 1_000
const longestRetryMs = 15_000

/** The version of the inbox at which the feed starts. Retries with backoff until the server responds. */
const useStartingPoint = (): InboxVersion | null => {
  const [since, setSince] = useState<InboxVersion | null>(null)
  const client = useQueryClient()

  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const request = async (retryMs: number) => {
      const answer = await call(countUnread, { signal: controller.signal })
      if (controller.signal.aborted) return
      if (!answer.success) {
        timer = setTimeout(request, retryMs, Math.min(retryMs * 2, longestRetryMs))
        return
      }
      const head = answer.data
      const isPageBehind = isBehind(readInbox(client), head)
      updateInbox(client, (inbox) => beginLog(inbox, head))
      if (isPageBehind) reloadPages(client)
      setSince({ epoch: head.epoch, seq: head.seq })
    }
    void request(firstRetryMs)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [client])

  return since
}

/** Arrivals within this interval share a toast. */
const toastGroupMs = defaultDurationMs

const latestOf = (items: readonly InboxItem[], at: string) =>
  items.reduce((latest, { deliveredAt }) => (deliveredAt > latest ? deliveredAt : latest), at)

const arrivals = 'arrivals'

type Announcement = { readonly text: string; readonly lang?: string | undefined }
const nothing: Announcement = { text: '' }

const announcementOf = (arrived: readonly InboxItem[], count = arrived.length): Announcement => {
  const newest = arrived.at(-1)
  if (!newest) return nothing
  return count === 1
    ? { text: newest.title || 'Notification', lang: newest.lang }
    : { text: `${count} new notifications` }
}

/** The paths under which arrivals can be opened. */
export type ArrivalPaths = { readonly one: (notificationId: NotificationId) => string; readonly all: string }

/** Announces arrivals in one toast, which disappears when all of them are withdrawn. */
const useArrivalToast = (paths: ArrivalPaths) => {
  const toast = useToast()
  const navigate = useNavigate()
  const [announcement, setAnnouncement] = useState(nothing)
  const announced = useRef<{ readonly ids: readonly NotificationId[]; readonly atMs: number }>({ ids: [], atMs: 0 })
  /**
   * The delivery time of the latest arrival, and of the latest one before a new epoch. Earlier ones are not announced again.
   */
  const delivered = useRef({ latest: '', before: '' })
  const startEpoch = (shown: readonly InboxItem[]) => {
    const latest = latestOf(shown, delivered.current.latest)
    delivered.current = { latest, before: latest }
  }
  /** `isShown`: the open list shows the arrival, so a toast would repeat it. */
  const announce = (changes: readonly InboxChange[], isShown: (item: InboxItem) => boolean) => {
    const arrived = changes.flatMap((change) => (change.kind === 'arrived' ? [change.notification] : []))
    const { latest, before } = delivered.current
    delivered.current = { latest: latestOf(arrived, latest), before }
    const withdrawn = new Set(withdrawnBy(changes))
    const added = arrived.filter(
      ({ _id, isRead, deliveredAt }) => !isRead && !withdrawn.has(_id) && (before === '' || deliveredAt > before),
    )
    setAnnouncement(announcementOf(added.filter(isShown)))
    const unseen = added.filter((item) => !isShown(item))
    const newest = unseen.at(-1)
    if (!newest) return
    const nowMs = performance.now()
    const earlier = nowMs - announced.current.atMs < toastGroupMs ? announced.current.ids : []
    const ids = [...earlier, ...unseen.map(({ _id }) => _id)]
    announced.current = { ids, atMs: nowMs }
    const count = ids.length
    const { text, lang } = announcementOf([newest], count)
    toast.info(text, {
      subject: arrivals,
      lang,
      action: {
        label: 'View',
        onPress: () => void navigate(count === 1 ? paths.one(newest._id) : paths.all),
      },
    })
  }
  const retract = (changes: readonly InboxChange[]) => {
    const withdrawn = new Set(withdrawnBy(changes))
    const { ids, atMs } = announced.current
    const left = ids.filter((id) => !withdrawn.has(id))
    if (left.length === ids.length) return
    announced.current = { ids: left, atMs }
    if (left.length === 0) toast.dismiss(arrivals)
  }
  return { announce, retract, startEpoch, announcement }
}

/** Keeps the first page on the device. Its code is loaded last, because nothing on the screen needs it. */
const useInboxKeeper = (isKept: boolean): void => {
  const client = useQueryClient()
  const session = useSession()
  useEffect(() => {
    if (!isKept || !session) return undefined
    let isOver = false
    let stop = () => {}
    const start = async () => {
      const { startInboxKeeper } = await loadInBackground(() => import('./inbox-keeper.ts'))
      if (!isOver) stop = startInboxKeeper(client, session)
    }
    start().catch((error: unknown) => console.warn('inbox not kept on the device, it needs a network', error))
    return () => {
      isOver = true
      stop()
    }
  }, [client, session, isKept])
}

const serverUnreadOf = ({ head }: Inbox) => head?.unread

/** Shows the server's count on the icon of the installed app, as far as it is known. The end of the session clears it (session.ts). */
const useAppBadge = (isShown: boolean): void => {
  const unread = useInbox(serverUnreadOf)
  useEffect(() => {
    if (!isShown || unread === undefined) return
    const badged: { setAppBadge?(count: number): Promise<void> } = navigator
    badged.setAppBadge?.(unread).catch((error: unknown) => console.debug('This device shows no badge', error))
  }, [isShown, unread])
}

type InboxConnectionProps = {
  readonly paths: ArrivalPaths
  /** Whether the user has a list of the unread notifications, so that the title of the tab counts them. */
  readonly hasList: boolean
  /** Notifications were read or withdrawn, here or elsewhere. */
  readonly onReadOrWithdrawn: (isReadOrWithdrawn: IsReadOrWithdrawn) => void
}

const isListOpenOf = ({ isListOpen }: Inbox) => isListOpen

/** A phone that changes its network is back earlier. */
const pausedAfterMs = 10_000

/** Says below the pages that no live updates arrive. Admins see it where they count (stale-notice.tsx). */
const usePausedNotice = (isShown: boolean): void => {
  const setPaused = useSetAtom(areUpdatesPausedAtom)
  const isPaused = useStaleSince(pausedAfterMs) !== undefined && isShown
  useEffect(() => {
    setPaused(isPaused)
    return () => setPaused(false)
  }, [isPaused, setPaused])
}

/** Keeps the inbox in sync with the server while it is mounted. Renders only what screen readers announce. */
export const InboxConnection = (props: InboxConnectionProps) => {
  const { paths, hasList } = props
  const socket = useSocket()
  const since = useStartingPoint()
  const client = useQueryClient()
  const { announce, retract, startEpoch, announcement } = useArrivalToast(paths)
  const isListOpen = useInbox(isListOpenOf)
  const toast = useToast()
  const setTabBadgeCount = useSetAtom(tabBadgeCountAtom)
  const unread = useInbox(unreadOf)
  const counted = hasList ? unread : 0

  const onChanges = useEffectEvent((changes: readonly InboxChange[], head: InboxHead) => {
    const { view: before } = readInbox(client)
    updateInbox(client, (inbox) => receiveChanges(updateHead(inbox, head), changes))
    if (before && changes.some((change) => lacksEntry(before, change))) reloadPages(client)
    retract(changes)
    const { view } = readInbox(client)
    announce(changes, (item) => isListOpen && view !== null && isShownIn(view, item))
  })
  const onReset = useEffectEvent((head: InboxHead) => {
    const { head: known, view } = readInbox(client)
    if (known?.epoch !== head.epoch) startEpoch(view?.items ?? [])
    updateInbox(client, (inbox) => resetInbox(inbox, head))
    reloadPages(client)
    reloadNotifications(client)
  })

  // The feed keeps its position, so only a new socket restarts it.
  useEffect(() => {
    if (!socket || since === null) return undefined
    return subscribeToInbox(socket, since, {
      onChanges: (changes, head) => onChanges(changes, head),
      onReset: (head) => onReset(head),
    })
  }, [socket, since])

  // Texts are in the language of the profile, and filled in from it.
  useEffect(() => {
    if (!socket) return undefined
    const onProfileChanged = () => {
      reloadPages(client)
      reloadNotifications(client)
    }
    socket.on(socketEvents.profileChanged, onProfileChanged)
    return () => void socket.off(socketEvents.profileChanged, onProfileChanged)
  }, [socket, client])

  const onReadOrWithdrawn = useEffectEvent(props.onReadOrWithdrawn)
  useEffect(() => watchReadOrWithdrawn(client, (isOver) => onReadOrWithdrawn(isOver)), [client])

  usePausedNotice(hasList)
  useAppBadge(hasList)
  useInboxKeeper(hasList && since !== null)
  useEffect(() => setTabBadgeCount(counted), [counted, setTabBadgeCount])
  // The list shows what the toast announces.
  useEffect(() => {
    if (isListOpen) toast.dismiss(arrivals)
  }, [isListOpen, toast])
  useEffect(
    () => () => {
      // The log misses all later changes.
      updateInbox(client, () => emptyInbox)
      setTabBadgeCount(0)
    },
    [client, setTabBadgeCount],
  )
  return (
    <LiveRegion aria-live="polite" lang={announcement.lang ?? languageOf(announcement.text)}>
      {announcement.text}
    </LiveRegion>
  )
}
