import type { HeldSend as ListedSend } from '@portal/contracts/notifications/held-send'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { atom } from 'jotai'

/** A confirmed send that can still be taken back. The server sends it, whether or not a tab is open. */
export type HeldSend = {
  readonly notificationId: NotificationId
  readonly owner: UserId
  readonly title: string
  readonly count: number
  /** When the send goes out, by this device's clock, in ms since the epoch. */
  readonly until: number
  /** This tab has confirmed it. */
  readonly isOwn: boolean
  /** Why fewer people get it than the sender was shown. */
  readonly leftOut?: string
  /** The server did not answer when it was due. */
  readonly isUnreachable?: true
}

export const heldSendsAtom = atom<readonly HeldSend[]>([])

/** How the last held send ended. */
export type EndedSend = { readonly notificationId: NotificationId; readonly outcome: 'sent' | 'taken-back' }
export const endedSendAtom = atom<EndedSend | undefined>(undefined)

type Own = Pick<HeldSend, 'leftOut'>

/** `own`: what this tab knows if it has confirmed it. */
export const heldSendOf = (
  { notificationId, title, targeted, dueInMs }: ListedSend,
  owner: UserId,
  own?: Own,
): HeldSend => ({
  notificationId,
  owner,
  title,
  count: targeted,
  until: Date.now() + dueInMs,
  isOwn: own !== undefined,
  ...own,
})

export const isDue = ({ until }: HeldSend): boolean => until <= Date.now()

/** So late that the server does not send it without its sender. */
export const isOverdue = ({ until }: HeldSend): boolean => until < Date.now() - limits.sendLatenessMs

/** What the server lists, with what this tab knows besides. What it does not list yet stays until it is due. */
export const withListed = (
  known: readonly HeldSend[],
  listed: readonly ListedSend[],
  owner: UserId,
): readonly HeldSend[] => {
  const before = new Map(known.map((held) => [held.notificationId, held]))
  const ids = new Set(listed.map(({ notificationId }) => notificationId))
  return [
    ...listed.map((some) => {
      const own = before.get(some.notificationId)
      const leftOut = own?.leftOut === undefined ? {} : { leftOut: own.leftOut }
      return heldSendOf(some, owner, own?.isOwn ? leftOut : undefined)
    }),
    ...known.filter((held) => held.owner === owner && !ids.has(held.notificationId) && !isDue(held)),
  ]
}
