import type { Metrics } from '../observability/metrics/metrics.ts'
import type { Outbound } from './open-outbound.ts'

type Channel = 'email' | 'sms' | 'push'

/** Counts the messages of the providers by channel and result. */
export const observeOutbound = (outbound: Outbound, { outbound: metrics }: Pick<Metrics, 'outbound'>): Outbound => {
  const { mail, sms, push } = outbound
  const seriesOf = (channel: Channel) => ({
    accepted: metrics.messages.labels({ channel, result: 'accepted' }),
    unregistered: metrics.messages.labels({ channel, result: 'unregistered' }),
    failed: metrics.messages.labels({ channel, result: 'failed' }),
  })

  const counting = <Message>(channel: Channel, send: (message: Message) => Promise<void>) => {
    const { accepted, failed } = seriesOf(channel)
    return async (message: Message): Promise<void> => {
      try {
        await send(message)
        accepted.inc()
      } catch (error) {
        failed.inc()
        throw error
      }
    }
  }
  const pushed = seriesOf('push')

  return {
    ...outbound,
    mail: { ...mail, send: counting('email', mail.send) },
    sms: { ...sms, send: counting('sms', sms.send) },
    push: {
      ...push,
      send: async (tokens, message, userIds) => {
        try {
          const results = await push.send(tokens, message, userIds)
          for (const { kind } of results) pushed[kind === 'unavailable' ? 'failed' : kind].inc()
          return results
        } catch (error) {
          pushed.failed.inc(tokens.length)
          throw error
        }
      },
    },
  }
}
