import type { OutcomeState } from '@portal/contracts/notifications/outcome-states'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/** When and where in the log. */
export type Place = { readonly at: string; readonly position: string }

export type Device = {
  readonly registeredAt: string
  readonly removed?: { readonly at: string; readonly reason: string }
}

/** What is on record about one notification and one person. What is absent has not happened, as far as that is known. */
export type Facts = {
  readonly userId: UserId
  readonly notificationId: NotificationId
  readonly now: string
  /** How long open tabs have before a notification is pushed. */
  readonly graceMs: number
  readonly registeredAt?: string
  readonly erasedAt?: string
  readonly sent?: Place & { readonly sentBy: UserId; readonly targeted: number; readonly correlationId?: string }
  /** They are among the recipients; the position is the one on the bus. */
  readonly targeted?: Place & { readonly bucket: string }
  /** Of the inbox projection, in their bucket. */
  readonly projection: { readonly position?: string; readonly parkedBecause?: string }
  /** Their inbox has it. */
  readonly arrival?: { readonly seq: number; readonly number: number }
  /** The delivery worker has it on its list. */
  readonly isOpenInLedger: boolean
  readonly outcome?: Place & { readonly state: OutcomeState; readonly reason?: string }
  readonly read?: Place & { readonly how: 'by itself' | 'with all others' }
  readonly devices: readonly Device[]
}
