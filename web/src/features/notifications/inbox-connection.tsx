import { countUnread } from '@portal/contracts/notifications/http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '../../lib/http.ts'
import { useSetAtom } from 'jotai'
import { useQueryClient } from '../../lib/query.ts'
import { useSocket } from '../../lib/socket.ts'
import { tabBadgeCountAtom } from '../../ui/page-title.tsx'
import { defaultDurationMs, useToast } from '../../ui/toast/atoms.ts'
import { readInbox, unreadOf, updateInbox, useInbox } from './inbox-cache.ts'
import { subscribeToInbox, type InboxVersion } from './inbox-feed.ts'
import { beginLog, emptyInbox, isBehind, updateHead, receiveChanges, resetInbox, type InboxHead } from './inbox.ts'
import { reloadPages } from './use-inbox.ts'

const firstRetryMs = 1_000
const longestRetryMs = 15_000

/** The version of the inbox at which the feed begins. Repeats the request while the server cannot be reached. */
const useStartingPoint = (): InboxVersion | null => {
  const [since, setSince] = useState<InboxVersion | null>(null)
  const client = useQueryClient()

  useEffect(() => {
    const given = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const request = async (retryMs: number) => {
      const answer = await call(countUnread, { signal: given.signal })
      if (given.signal.aborted) return
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
      given.abort()
      clearTimeout(timer)
    }
  }, [client])

  return since
}

/** Arrivals within this time of each other share one toast. */
const toastGroupMs = defaultDurationMs

const latestOf = (items: readonly InboxItem[], at: string) =>
  items.reduce((latest, { deliveredAt }) => (deliveredAt > latest ? deliveredAt : latest), at)

/** Announces arrivals in one toast, however many they are. */
const useArrivalToast = () => {
  const toast = useToast()
  const navigate = useNavigate()
  const announced = useRef({ count: 0, atMs: 0 })
  /** Delivery times: of the latest arrival, and of the latest one before a new epoch, which is not announced again. */
  const delivered = useRef({ latest: '', before: '' })
  const startEpoch = (shown: readonly InboxItem[]) => {
    const latest = latestOf(shown, delivered.current.latest)
    delivered.current = { latest, before: latest }
  }
  const announce = (changes: readonly InboxChange[]) => {
    const arrived = changes.flatMap((change) => (change.kind === 'arrived' ? [change.notification] : []))
    const { latest, before } = delivered.current
    delivered.current = { latest: latestOf(arrived, latest), before }
    const arrivals = arrived.filter(({ isRead, deliveredAt }) => !isRead && (before === '' || deliveredAt > before))
    const newest = arrivals.at(-1)
    if (!newest) return
    const nowMs = performance.now()
    const earlier = nowMs - announced.current.atMs < toastGroupMs ? announced.current.count : 0
    const count = earlier + arrivals.length
    announced.current = { count, atMs: nowMs }
    toast.info(count === 1 ? newest.title || 'Notification' : `${count} new notifications`, {
      subject: 'arrivals',
      action: {
        label: 'View',
        onPress: () => void navigate(count === 1 ? `/notification/${newest._id}` : '/notification'),
      },
    })
  }
  return { announce, startEpoch }
}

/** Keeps the inbox of the signed-in learner in step with the server for as long as it is mounted. Shows nothing itself. */
export const InboxConnection = () => {
  const socket = useSocket()
  const since = useStartingPoint()
  const client = useQueryClient()
  const { announce, startEpoch } = useArrivalToast()
  const setTabBadgeCount = useSetAtom(tabBadgeCountAtom)
  const unread = useInbox(unreadOf)

  const onChanges = useEffectEvent((changes: readonly InboxChange[], head: InboxHead) => {
    updateInbox(client, (inbox) => receiveChanges(updateHead(inbox, head), changes))
    announce(changes)
  })
  const onReset = useEffectEvent((head: InboxHead) => {
    const { head: known, view } = readInbox(client)
    if (known?.epoch !== head.epoch) startEpoch(view?.items ?? [])
    updateInbox(client, (inbox) => resetInbox(inbox, head))
    reloadPages(client)
  })

  // The feed keeps its position: it begins again with another connection only.
  useEffect(() => {
    if (!socket || since === null) return undefined
    return subscribeToInbox(socket, since, {
      onChanges: (changes, head) => onChanges(changes, head),
      onReset: (head) => onReset(head),
    })
  }, [socket, since])

  useEffect(() => setTabBadgeCount(unread), [unread, setTabBadgeCount])
  useEffect(
    () => () => {
      // The log has a gap from here on.
      updateInbox(client, () => emptyInbox)
      setTabBadgeCount(0)
    },
    [client, setTabBadgeCount],
  )
  return null
}
