import { type ISocketFactory, Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Logger } from 'pino'
import { createRunningState } from '../../async/running-state.ts'
import { withTimeout } from '../../async/timeout.ts'
import type { KafkaAddress } from './address.ts'
import './kafkajs-workarounds.ts'

const connectTimeoutMs = 3_000
/** Requests that Kafka delays on purpose, such as joining a group, have their own timeouts. */
const requestTimeoutMs = 10_000

/** kafkajs reports each reconnection as an error, so its messages are logged at debug only. */
const logTo =
  (logger: Logger) =>
  () =>
  ({ namespace, log: { message } }: LogEntry): void =>
    logger.debug({ kafkajs: namespace }, message)

/** A client per use: kafkajs caches committed offsets per client, and a stuck client is replaced as a whole. */
export const createKafkaClient = (address: KafkaAddress, logger: Logger, socketFactory?: ISocketFactory): Kafka =>
  new Kafka({
    clientId: 'portal',
    brokers: [...address.brokers],
    ssl: address.tls,
    // All three mechanisms have the same options, but kafkajs declares a type for each.
    ...(address.sasl !== undefined && { sasl: address.sasl as SASLOptions }),
    ...(socketFactory !== undefined && { socketFactory }),
    connectionTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000 },
    // Below debug, kafkajs does not even format its messages.
    logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
    logCreator: logTo(logger),
  })

/** Kafka's own error, without the errors of kafkajs around it. */
export const rootCauseOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? rootCauseOf(error.cause) : error

/** Kafka does not serve a client. The message is one line for the operator. */
export class KafkaFailedError extends Error {
  override readonly name = 'KafkaFailedError'
  readonly isUserFacing = true
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

type Connectable = { connect(): Promise<void>; disconnect(): Promise<void> }

type LazyConnection<T> = {
  /** Connects if necessary. Rejects with a TimeoutError after `timeoutMs`; `operation` names the request there. */
  request<R>(work: (connected: T) => Promise<R>, timeoutMs: number, operation: string): Promise<R>
  close(): Promise<void>
}

/** Connects at the first request, and again at the first request after a failed one. */
export const lazyConnection = <T extends Connectable>(open: () => T): LazyConnection<T> => {
  const running = createRunningState(() => new Error('The connection to Kafka is closed'))
  let connection: Promise<T> | undefined

  const connect = async (): Promise<T> => {
    const opened = open()
    await opened.connect()
    return opened
  }

  const disconnect = async () => {
    const opened = await connection?.catch(() => undefined)
    connection = undefined
    // The connection is discarded, so a failure to close it does not matter.
    await opened?.disconnect().catch(() => undefined)
  }

  return {
    async request(work, timeoutMs, operation) {
      running.assertRunning()
      connection ??= connect()
      const used = connection
      try {
        return await withTimeout(used.then(work), timeoutMs, operation)
      } catch (error) {
        if (connection === used) void disconnect()
        throw error
      }
    },
    async close() {
      running.stop()
      await disconnect()
    },
  }
}
