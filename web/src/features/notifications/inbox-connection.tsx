import type { InboxChange } from '@portal/contracts/notifications/socket'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useAtomValue, useSetAtom } from '../../lib/jotai.ts'
import { useSocket } from '../../lib/socket.ts'
import { attentionCountAtom } from '../../ui/attention.ts'
import { defaultDurationMs, useToast } from '../../ui/toast/atoms.ts'
import { fetchUnread } from './api.ts'
import {
  beginLogAtom,
  forgetInboxAtom,
  headAtom,
  learnHeadAtom,
  receiveChangesAtom,
  resetInboxAtom,
  type InboxHead,
} from './atoms.ts'
import { followInbox } from './live.ts'

const firstRetryMs = 1_000
const longestRetryMs = 15_000

/** Learns where the inbox stands, which is where the feed begins. Keeps asking while the server cannot be reached. */
const useStartingPoint = (): number | null => {
  const [since, setSince] = useState<number | null>(null)
  const learnHead = useSetAtom(learnHeadAtom)
  const beginLog = useSetAtom(beginLogAtom)

  useEffect(() => {
    const given = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (retryMs: number) => {
      const answer = await fetchUnread(given.signal)
      if (given.signal.aborted) return
      if (!answer.success) {
        timer = setTimeout(ask, retryMs, Math.min(retryMs * 2, longestRetryMs))
        return
      }
      learnHead(answer.data)
      beginLog(answer.data.seq)
      setSince(answer.data.seq)
    }
    void ask(firstRetryMs)
    return () => {
      given.abort()
      clearTimeout(timer)
    }
  }, [learnHead, beginLog])

  return since
}

/** Arrivals within this time of each other share one toast. */
const togetherMs = defaultDurationMs

/** Tells what has come in, in one toast however much it is. */
const useArrivalToast = () => {
  const toast = useToast()
  const navigate = useNavigate()
  const told = useRef({ count: 0, atMs: 0 })
  return (changes: readonly InboxChange[]) => {
    const arrivals = changes.flatMap((change) =>
      change.kind === 'arrived' && !change.notification.isRead ? [change.notification] : [],
    )
    const newest = arrivals.at(-1)
    if (!newest) return
    const nowMs = performance.now()
    const earlier = nowMs - told.current.atMs < togetherMs ? told.current.count : 0
    const count = earlier + arrivals.length
    told.current = { count, atMs: nowMs }
    toast.info(count === 1 ? newest.title || 'Notification' : `${count} new notifications`, {
      subject: 'arrivals',
      action: {
        label: 'View',
        onPress: () => void navigate(count === 1 ? `/notification/${newest._id}` : '/notification'),
      },
    })
  }
}

/** Keeps the inbox of the signed-in learner in step with the server for as long as it is mounted. Shows nothing itself. */
export const InboxConnection = () => {
  const socket = useSocket()
  const since = useStartingPoint()
  const learnHead = useSetAtom(learnHeadAtom)
  const receive = useSetAtom(receiveChangesAtom)
  const reset = useSetAtom(resetInboxAtom)
  const forget = useSetAtom(forgetInboxAtom)
  const announce = useArrivalToast()
  const setAttention = useSetAtom(attentionCountAtom)
  const unread = useAtomValue(headAtom)?.unread ?? 0

  const onChanges = useEffectEvent((changes: readonly InboxChange[], head: InboxHead) => {
    learnHead(head)
    receive(changes)
    announce(changes)
  })

  // The feed keeps its position: it begins anew with another connection only.
  useEffect(() => {
    if (!socket || since === null) return undefined
    return followInbox(socket, since, { onChanges: (changes, head) => onChanges(changes, head), onReset: reset })
  }, [socket, since, reset])

  useEffect(() => setAttention(unread), [unread, setAttention])
  useEffect(
    () => () => {
      forget()
      setAttention(0)
    },
    [forget, setAttention],
  )
  return null
}
