import { createRequire } from 'node:module'
import { type ISocketFactory, Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Logger } from 'pino'
import type { KafkaAddress } from './address.ts'

const connectTimeoutMs = 3_000
/** For an answer; what Kafka lets wait by intention (joining a group) has time-outs of its own. */
const requestTimeoutMs = 10_000

type RequestQueue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void }

/**
 * kafkajs 2.2.4 looks for waiting requests by a timer that it sets again for ever, with a negative time: a warning from Node
 * and a thousand wake-ups a second for each connection (its issue 1751). With nothing waiting there is nothing to
 * look for, and whoever lets a request wait sets the timer.
 */
const stopIdleTimers = (): void => {
  const load = createRequire(import.meta.url)
  // kafkajs has no types for its inside; the test of this file shows that it is still like this.
  const { prototype } = load('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue }
  const schedule = prototype.scheduleCheckPendingRequests
  prototype.scheduleCheckPendingRequests = function scheduleWhenWaiting(this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this)
  }
}
stopIdleTimers()

/** kafkajs speaks of every reconnection as of an error. What matters of it is said by whoever uses it. */
const logTo =
  (logger: Logger) =>
  () =>
  ({ namespace, log: { message } }: LogEntry): void =>
    logger.debug({ kafkajs: namespace }, message)

/** Clients share nothing: kafkajs keeps committed offsets per client, and one that is stuck is thrown away whole. */
export const createKafkaClient = (address: KafkaAddress, logger: Logger, socketFactory?: ISocketFactory): Kafka =>
  new Kafka({
    clientId: 'portal',
    brokers: [...address.brokers],
    ssl: address.tls,
    // The three mechanisms are told the same; their types do not know that of a mechanism that may be any of them.
    ...(address.sasl !== undefined && { sasl: address.sasl as SASLOptions }),
    ...(socketFactory !== undefined && { socketFactory }),
    connectionTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000 },
    // What is not shown is not worked out either.
    logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
    logCreator: logTo(logger),
  })

/** Kafka's own error, out of what kafkajs wraps around it. */
export const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error
