import {
  listHeldNotifications,
  sendHeldNotification,
  takeBackNotification,
} from '@portal/contracts/notifications/held-send'
import { getCampaign } from '@portal/contracts/notifications/http'
import { socketEvents, type HeldChanged } from '@portal/contracts/notifications/socket'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { useAtom, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { call } from '../../../lib/http.ts'
import { useSession } from '../../../lib/session.ts'
import { useSocket } from '../../../lib/socket.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { discardSentDraft, keptHeldAs } from '../kept-draft.ts'
import { formatCount, peopleText } from '../progress.ts'
import { endedSendAtom, heldSendsAtom, isDue, isOverdue, withListed, type EndedSend } from './held-sends.ts'

/** A newer toast about a send replaces the older one. */
export const sendSubject = 'send'

/** `successCount` counts only recipients with an open portal, so the number of inboxes is shown, too. */
const inboxesText = (targeted: number, successCount: number): string => {
  // Larger sends are distributed in the background.
  if (targeted > limits.recipientsPerSend) return `It is being delivered to ${formatCount(targeted)} inboxes.`
  const seen = successCount === 0 ? '' : `; ${formatCount(successCount)} saw it on screen`
  return `${peopleText(targeted)} ${targeted === 1 ? 'has' : 'have'} it in their inbox${seen}.`
}

/** Asked by this tab and not answered yet. */
const asked = new Set<NotificationId>()

/** The held sends of the signed-in admin, from whichever tab. Each tab asks for the answer when one is due. */
export const useHeldSends = () => {
  const owner = useSession()?.user._id
  const socket = useSocket()
  const toast = useToast()
  const [all, setHeld] = useAtom(heldSendsAtom)
  // Another admin may have used this tab before.
  const held = useMemo(() => all.filter((some) => some.owner === owner), [all, owner])
  const setEnded = useSetAtom(endedSendAtom)

  const end = (ended: EndedSend) => {
    if (owner && ended.outcome === 'sent') discardSentDraft(owner, ended.notificationId)
    setHeld((known) => known.filter(({ notificationId }) => notificationId !== ended.notificationId))
    setEnded(ended)
  }

  /** Sends it now, or learns how it was sent. */
  const finish = useEffectEvent(async (notificationId: NotificationId) => {
    if (asked.has(notificationId)) return
    asked.add(notificationId)
    const answer = await call(sendHeldNotification, { params: { id: notificationId } })
    asked.delete(notificationId)
    if (answer.success) {
      const { targeted, successCount, message } = answer.data
      const leftOut = held.find((some) => some.notificationId === notificationId)?.leftOut
      const detail = [inboxesText(targeted, successCount), ...(leftOut === undefined ? [] : [leftOut])].join(' ')
      toast.success(message, { subject: sendSubject, detail })
      return end({ notificationId, outcome: 'sent' })
    }
    if (answer.code === 'conflict' || answer.code === 'not-found') {
      toast.info(answer.message, { subject: sendSubject })
      return end({ notificationId, outcome: 'taken-back' })
    }
    setHeld((known) =>
      known.map((some) => (some.notificationId === notificationId ? { ...some, isUnreachable: true } : some)),
    )
  })

  const undo = async (notificationId: NotificationId) => {
    const answer = await call(takeBackNotification, { params: { id: notificationId }, outlivesPage: true })
    if (answer.success) return end({ notificationId, outcome: 'taken-back' })
    toast.error(answer.message, { subject: sendSubject })
    if (answer.code === 'conflict') return finish(notificationId)
    if (answer.code === 'not-found') return end({ notificationId, outcome: 'taken-back' })
    return undefined
  }

  /** The kept draft was confirmed, and its send is held no more. Unless it was taken back, it has gone out. */
  const resolveDraft = useEffectEvent(async (heldAs: NotificationId) => {
    const answer = await call(getCampaign, { params: { id: heldAs } })
    if (answer.success) end({ notificationId: heldAs, outcome: 'sent' })
  })

  const load = useEffectEvent(async () => {
    const answer = await call(listHeldNotifications, {})
    if (!answer.success) return
    const listed = answer.data.held
    const isListed = (id: NotificationId) => listed.some(({ notificationId }) => notificationId === id)
    for (const some of held) if (isDue(some) && !isListed(some.notificationId)) void finish(some.notificationId)
    if (owner) setHeld((known) => withListed(known, listed, owner))
    for (const heldAs of owner ? keptHeldAs(owner) : [])
      if (!isListed(heldAs) && !held.some(({ notificationId }) => notificationId === heldAs)) await resolveDraft(heldAs)
  })

  const onChanged = useEffectEvent(({ notificationId, state }: HeldChanged) => {
    if (state === 'held') return void load()
    if (!held.some((some) => some.notificationId === notificationId)) return
    if (state === 'sent') void finish(notificationId)
    else end({ notificationId, outcome: 'taken-back' })
  })

  useEffect(() => {
    const reload = () => void load()
    reload()
    window.addEventListener('online', reload)
    window.addEventListener('pageshow', reload)
    return () => {
      window.removeEventListener('online', reload)
      window.removeEventListener('pageshow', reload)
    }
  }, [])
  useEffect(() => {
    if (!socket) return undefined
    const listener = (message: HeldChanged) => onChanged(message)
    socket.on(socketEvents.heldChanged, listener)
    // Also the first time: what was confirmed between the first request and the connection was told to others only.
    const onConnect = () => void load()
    socket.on('connect', onConnect)
    if (socket.connected) onConnect()
    return () => {
      socket.off(socketEvents.heldChanged, listener)
      socket.off('connect', onConnect)
    }
  }, [socket])
  useEffect(() => {
    const timers = held
      .filter((some) => !some.isUnreachable && !isOverdue(some))
      .map(({ notificationId, until }) => setTimeout(() => void finish(notificationId), until - Date.now()))
    return () => timers.forEach(clearTimeout)
  }, [held])

  return { held, sendNow: (id: NotificationId) => finish(id), undo }
}
