import type { Cancelled } from './cancel-campaign.ts'
import type { Recalled } from './recall-campaign.ts'

const grouped = (count: number): string => count.toLocaleString('en-US')

const wereDelivered = (count: number): string =>
  count === 0 ? 'None had been delivered.' : `${grouped(count)} had already been delivered.`

/** `412 canceled. 588 had already been delivered.` */
export const cancelMessage = ({ cancelled, alreadySent, pending }: Cancelled): string => {
  if (pending > 0) {
    const verb = pending === 1 ? 'is' : 'are'
    return `${grouped(cancelled)} canceled so far. ${wereDelivered(alreadySent)} ${grouped(pending)} ${verb} still in progress.`
  }
  if (cancelled > 0) return `${grouped(cancelled)} canceled. ${wereDelivered(alreadySent)}`
  return alreadySent === 1
    ? 'Nothing was left to cancel. 1 had already been delivered.'
    : `Nothing was left to cancel. All ${grouped(alreadySent)} had already been delivered.`
}

/** `Sending again to 12 people.` */
export const resendMessage = (resent: number): string =>
  resent === 1 ? 'Sending again to 1 person.' : `Sending again to ${grouped(resent)} people.`

/** `Withdrawn from 1,000 inboxes.` */
export const recallMessage = ({ recalled, isApplied }: Recalled): string => {
  const inboxes = recalled === 1 ? '1 inbox' : `${grouped(recalled)} inboxes`
  return isApplied ? `Withdrawn from ${inboxes}.` : `Being withdrawn from ${inboxes}.`
}
