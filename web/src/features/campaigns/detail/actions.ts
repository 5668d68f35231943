import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { formatCount } from '../progress.ts'

/** What an admin can do with a sent notification, with a confirmation. */
export const actionNames = ['cancel', 'resend', 'recall'] as const
export type ActionName = (typeof actionNames)[number]

export const people = (count: number): string => (count === 1 ? '1 person' : `${formatCount(count)} people`)

type Situation = {
  readonly progress: CampaignProgress
  readonly isRecalled: boolean
  /** Failed recipients who have a device now. */
  readonly resendable: number
  readonly resendsLeft: number
}

/** Whether an action would change something. */
export const isOffered = (
  action: ActionName,
  { progress, isRecalled, resendable, resendsLeft }: Situation,
): boolean => {
  if (isRecalled) return false
  switch (action) {
    case 'cancel':
      return progress.pending > 0
    case 'resend':
      return resendable > 0 && resendsLeft > 0
    case 'recall':
      return true
  }
}

type Confirmation = {
  readonly question: string
  /** What confirming does. */
  readonly consequence: string
  readonly confirmText: string
  /** 'Cancel' would be ambiguous beside an action of that name. */
  readonly cancelText: string
  readonly destructive: boolean
}

const cancelConsequence = ({ pending, targeted }: CampaignProgress): string => {
  const gone = targeted - pending
  const rest = gone === 0 ? '' : ` What has already gone out to ${people(gone)} stays.`
  return `Nothing more goes out to the ${people(pending)} whose delivery is pending.${rest} Inboxes that have the notification keep it.`
}

/** The text of the dialog that asks before an action. */
export const confirmationOf = (action: ActionName, situation: Situation): Confirmation => {
  const { progress, resendable, resendsLeft } = situation
  switch (action) {
    case 'cancel':
      return {
        question: 'Cancel the pending deliveries?',
        consequence: cancelConsequence(progress),
        confirmText: 'Cancel deliveries',
        cancelText: 'Keep sending',
        destructive: true,
      }
    case 'resend':
      return {
        question: `Push it again to ${people(resendable)}?`,
        consequence: `Their push failed, and they have a device for another try. They get no second inbox entry. ${resendsLeft === 1 ? 'This is the last resend.' : `${resendsLeft} resends are left.`}`,
        confirmText: 'Send again',
        cancelText: 'Not now',
        destructive: false,
      }
    case 'recall':
      return {
        question: 'Recall this notification?',
        consequence:
          'Each inbox that has it shows “This notification was withdrawn” instead, and it counts as read. Pending deliveries are stopped, and its text is erased. This cannot be undone.',
        confirmText: 'Recall',
        cancelText: 'Keep it',
        destructive: true,
      }
  }
}
