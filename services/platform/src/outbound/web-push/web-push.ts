import { Agent } from 'node:https'
import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { yieldToEventLoop } from '../../async/event-loop-budget.ts'
import { createSemaphore } from '../../async/semaphore.ts'
import { withTimeout } from '../../async/timeout.ts'
import type { HealthPart } from '../../observability/health.ts'
import { maxTokensPerPush, type PushMessage, type PushOutcome, type PushSender } from '../port.ts'
import { createPushCircuitBreaker, type PushCircuitBreaker } from '../push-circuit-breaker.ts'
import { dataOf, topicOf } from '../push-data.ts'
import { retryAfterMs } from '../retry-after.ts'
import { encryptPush, maxPayloadBytes } from './encrypt-push.ts'
import { postPush } from './post-push.ts'
import { createEndpointResolver, PrivateEndpointError, type Resolve } from './public-endpoint.ts'
import { type PushKeys, vapidAuthorization } from './push-keys.ts'
import { readSubscription, type Subscription } from './subscription.ts'
import { watchKey } from './watch-key.ts'

type WebPushOptions = {
  readonly keys: PushKeys
  /** Whom the operators of a push service can reach: an https or mailto address. */
  readonly subject: string
  /** How long a push service keeps a push for a device that is offline. */
  readonly ttlSeconds: number
  /** The hosts of push services on a private network. */
  readonly privateHosts: ReadonlySet<string>
  readonly now: () => Date
  readonly logger: Pick<Logger, 'info' | 'warn'>
  /** Timeout of one push. */
  readonly timeoutMs?: number
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs?: () => number
  readonly agent?: Agent
  readonly resolve?: Resolve
}

/** Requests at a time, each on its own connection. */
const maxConnections = 50
/** Idle connections end by themselves: any user can name a service that keeps them. */
const idleMs = 30_000
/** Each user can name twenty. */
const maxServices = 1_000
/** A signature of half a day is used for an hour, because one takes as long as the encryption. */
const signatureMs = 3_600_000
/** What a service may ask for: the request may be an error. */
const maxRetryAfterMs = 15 * 60_000
/** Some services take less than the standard demands. */
const shortPayloadBytes = 2_000

/** Phones that save power hold back the others. */
const urgentTypes: ReadonlySet<string> = new Set(['System Maintenance', 'Fee Payment Reminder', 'Assignment', 'Exam'])

const payloadOf = (message: PushMessage, maxBytes: number): Buffer => {
  const envelopeBytes = Buffer.byteLength(JSON.stringify({ data: '' })) - 2
  // The shape in which FCM hands it to the worker.
  return Buffer.from(JSON.stringify({ data: dataOf(message, maxBytes - envelopeBytes) }))
}

const failed = (reason: string): PushOutcome => ({ kind: 'failed', reason })
const unavailable = (reason: string, afterMs?: number): PushOutcome => ({
  kind: 'unavailable',
  reason,
  ...(afterMs !== undefined && { retryAfterMs: Math.min(afterMs, maxRetryAfterMs) }),
})

const ofToken = (outcome: PushOutcome): PushOutcome =>
  outcome.kind === 'unavailable' ? { ...outcome, isOfToken: true } : outcome

const tooLarge = 413
const tooManyRequests = 429
const rateExceeded = 'message-rate-exceeded'

const outcomesByStatus: ReadonlyMap<number, PushOutcome> = new Map([
  [400, failed('invalid-argument')],
  [401, failed(deliveryReasons.keyRefused)],
  [403, failed(deliveryReasons.keyRefused)],
  [404, { kind: 'unregistered' }],
  [410, { kind: 'unregistered' }],
  [tooLarge, failed('payload-size-limit-exceeded')],
])

const outcomeOf = (status: number, afterMs: number | undefined): PushOutcome => {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  if (status === tooManyRequests) return unavailable(rateExceeded, afterMs)
  if (status >= 500) return unavailable('server-unavailable', afterMs)
  return outcomesByStatus.get(status) ?? failed('unknown-error')
}

const outcomeWithoutAnswer = (error: unknown): PushOutcome => {
  if (error instanceof PrivateEndpointError) return failed(deliveryReasons.privateEndpoint)
  const isLate = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
  return unavailable(isLate ? deliveryReasons.noAnswerInTime : 'network-error')
}

/** Pushes to the push services that browsers have chosen, without an account at any of them (RFC 8030). */
export const webPush = (options: WebPushOptions): PushSender & { readonly health: HealthPart } => {
  const { keys, subject, ttlSeconds, privateHosts, now, logger, timeoutMs = 10_000 } = options
  const { nowMs = () => performance.now() } = options
  const agent = options.agent ?? new Agent({ keepAlive: true, maxSockets: maxConnections, timeout: idleMs })
  const addressesOf = createEndpointResolver(privateHosts, options.resolve)
  const withPermit = createSemaphore(maxConnections)
  const breakers = new LRUCache<string, PushCircuitBreaker>({ max: maxServices })
  const signatures = new LRUCache<string, string>({ max: maxServices, ttl: signatureMs })
  // The encryptions of a large send leave room for requests.
  const inTurn = createSemaphore(1)
  const key = watchKey({ privateHosts, nowMs, logger })

  const breakerOf = ({ host }: URL): PushCircuitBreaker => {
    const breaker = breakers.get(host) ?? createPushCircuitBreaker(nowMs)
    breakers.set(host, breaker)
    return breaker
  }

  const signatureFor = async ({ origin }: URL): Promise<string> => {
    const signature = signatures.get(origin) ?? (await vapidAuthorization(keys, { origin, subject, now: now() }))
    signatures.set(origin, signature, { noUpdateTTL: true })
    return signature
  }

  const encrypt = (subscription: Subscription, payload: Buffer): Promise<Buffer> =>
    inTurn(async () => {
      await yieldToEventLoop()
      return encryptPush(subscription, payload)
    })

  const post = async (subscription: Subscription, message: PushMessage, maxBytes: number, signal: AbortSignal) => {
    const { endpoint } = subscription
    const addresses = await addressesOf(endpoint)
    const headers = {
      authorization: await signatureFor(endpoint),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency: urgentTypes.has(message.type) ? 'high' : 'normal',
      topic: topicOf(message),
    }
    const body = await encrypt(subscription, payloadOf(message, maxBytes))
    return postPush({ endpoint, addresses, headers, body, agent, signal })
  }

  const push = async (subscription: Subscription, message: PushMessage): Promise<PushOutcome> => {
    const { endpoint } = subscription
    const signal = AbortSignal.timeout(timeoutMs)
    let answer = await post(subscription, message, maxPayloadBytes, signal)
    if (answer.status === tooLarge) answer = await post(subscription, message, shortPayloadBytes, signal)
    const outcome = outcomeOf(answer.status, retryAfterMs(answer.retryAfter, now))
    if (outcome.kind === 'accepted') key.accepted(endpoint)
    if (outcome.kind === 'failed' && outcome.reason === deliveryReasons.keyRefused) key.refused(endpoint, answer.status)
    return outcome
  }

  const pushTo = async (token: string, message: PushMessage): Promise<PushOutcome> => {
    const subscription = readSubscription(token)
    if (subscription === undefined) return failed('invalid-registration-token')
    const breaker = breakerOf(subscription.endpoint)
    const open = breaker.openFor()
    if (open !== undefined) return ofToken(unavailable(open.reason, open.forMs))
    breaker.onCallStart()
    // Resolving a name has no timeout of its own.
    const outcome = await withTimeout(push(subscription, message), timeoutMs, 'a push').catch(outcomeWithoutAnswer)
    // The limit of one subscription, and the service works.
    const isRateExceeded = outcome.kind === 'unavailable' && outcome.reason === rateExceeded
    breaker.onCallEnd(isRateExceeded ? [] : [outcome])
    return ofToken(outcome)
  }

  return {
    send: async (tokens, message) => {
      if (tokens.length > maxTokensPerPush)
        throw new RangeError(`At most ${maxTokensPerPush} tokens per call, not ${tokens.length}`)
      return Promise.all(tokens.map((token) => withPermit(() => pushTo(token, message))))
    },
    close: async () => agent.destroy(),
    health: key.health,
  }
}
