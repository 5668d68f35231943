import { once } from 'node:events'
import { createBackoff, retryUntilAborted } from '../../../async/backoff.ts'
import { createRunningState } from '../../../async/running-state.ts'
import type { Subscription } from '../../port.ts'
import { KafkaFailedError, rootCauseOf } from '../client.ts'
import { createOutageLog } from '../outage-log.ts'
import { type ConnectionOptions, runConsumerConnection } from './consumer-connection.ts'
import { createConsumerState } from './consumer-state.ts'
import { fetching } from './fetch-silence.ts'

type ConsumerOptions = Omit<ConnectionOptions, 'state' | 'formerMemberId' | 'onJoined'> & {
  /** Resolves when the topics exist; rejects when the bus is closed. */
  topicsReady(): Promise<unknown>
}

export type RunningConsumer = Pick<Subscription, 'stop'> & {
  /** Throws while the consumer is unhealthy. */
  check(): void
}

/** Consumes until stopped. Each failed connection is replaced by a new one. */
export const startKafkaConsumer = (options: ConsumerOptions): RunningConsumer => {
  const { consumer, logger, topicsReady } = options
  const running = createRunningState()
  const { signal } = running
  const state = createConsumerState(consumer.group)
  const { health, inFlight } = state
  const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 })
  let memberId: string | undefined
  let formerMemberId: string | undefined
  const outages = createOutageLog(
    logger,
    { consumer: consumer.group },
    { began: 'kafka consumer disconnected, reconnecting', ended: 'kafka consumer reconnected' },
  )

  const recordProgress = () => {
    health.recovered('connecting')
    health.recovered('no messages come')
    health.recovered(fetching)
    backoff.reset()
    outages.ended()
  }

  const connection: ConnectionOptions = {
    ...options,
    state,
    consumer: {
      ...consumer,
      async handle(deliveries) {
        await consumer.handle(deliveries)
        recordProgress()
      },
      onCaughtUp(cursors) {
        recordProgress()
        consumer.onCaughtUp?.(cursors)
      },
    },
    formerMemberId: () => formerMemberId,
    onJoined(id: string) {
      memberId = id
      formerMemberId = undefined
      health.recovered('connecting')
    },
  }

  const onConnectionFailed = (error: unknown) => {
    // Kept until the former member has left the group, which may take several connections.
    formerMemberId = memberId ?? formerMemberId
    memberId = undefined
    const cause = rootCauseOf(error)
    health.failed('connecting', new KafkaFailedError(cause))
    outages.began(cause)
  }

  const run = async () => {
    await Promise.race([topicsReady(), once(signal, 'abort')]).catch(running.stop)
    const connect = () => runConsumerConnection(connection, signal)
    await retryUntilAborted(connect, { signal, backoff, onFailure: onConnectionFailed })
  }

  const ended = run()
  return {
    async stop() {
      running.stop()
      await ended
      await inFlight.whenAllDone()
    },
    check: health.check,
  }
}
