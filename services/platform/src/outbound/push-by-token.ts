import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import { maxTokensPerPush, type PushOutcome, type PushSender } from './port.ts'
import { isSubscription } from './web-push/subscription.ts'

type Senders = {
  readonly webPush: PushSender
  /** For the tokens that a provider has issued. */
  readonly others: PushSender
}

/** Sends to the subscriptions of browsers by Web Push, whichever provider serves new registrations. */
export const pushByToken = ({ webPush, others }: Senders): PushSender => ({
  send: async (tokens, message, userIds) => {
    if (tokens.length > maxTokensPerPush)
      throw new RangeError(`At most ${maxTokensPerPush} tokens per call, not ${tokens.length}`)
    const subscriptions = tokens.filter(isSubscription)
    const issued = tokens.filter((token) => !isSubscription(token))
    const owners = userIds?.filter((_, at) => !isSubscription(tokens[at] ?? ''))
    if (subscriptions.length === 0) return others.send(issued, message, owners)
    const notAccepted: PushOutcome = { kind: 'unavailable', reason: deliveryReasons.providerUnavailable }
    // What Web Push has delivered must not be repeated.
    const ofIssued =
      issued.length === 0 ? [] : others.send(issued, message, owners).catch(() => issued.map(() => notAccepted))
    const [pushed, sent] = await Promise.all([webPush.send(subscriptions, message), ofIssued])
    const outcomes = new Map([...subscriptions, ...issued].map((token, at) => [token, [...pushed, ...sent][at]]))
    return tokens.map((token) => outcomes.get(token) ?? { kind: 'failed', reason: deliveryReasons.noAnswer })
  },
  close: async () => {
    await Promise.all([webPush.close(), others.close()])
  },
})
