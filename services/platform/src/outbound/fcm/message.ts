import type { PushMessage } from '../port.ts'
import { dataOf, topicOf } from '../push-data.ts'

/**
 * The browser's push service accepts 4,096 bytes. The provider's envelope and the encryption take about 300 of them.
 */
export const maxDataBytes = 3_600
/** A device that was offline for longer gets no push. The notification stays in the inbox. */
const ttlSeconds = 3 * 86_400

/** Has data only: with a `notification`, the provider's code in the browser would show a second one. */
export const fcmMessageOf = (message: PushMessage) => ({
  data: dataOf(message, maxDataBytes),
  webpush: { headers: { TTL: String(ttlSeconds), Urgency: 'high', Topic: topicOf(message) } },
})
