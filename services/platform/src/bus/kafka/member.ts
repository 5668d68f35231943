import type { Logger } from 'pino'
import { createBackoff } from '../../async/backoff.ts'
import type { Consumer, Subscription } from '../port.ts'
import { createOutageLog } from './outage-log.ts'
import type { KafkaAddress } from './address.ts'
import type { LogSource } from './assignment-round.ts'
import { causeOf } from './client.ts'
import type { Place } from './cursor.ts'
import type { KafkaState } from './kafka-state.ts'
import { runSession } from './session.ts'
import { createStanding } from './standing.ts'
import { createUnderWay } from './under-way.ts'

export type MemberOptions = {
  readonly address: KafkaAddress
  readonly state: KafkaState
  /** Undefined in a process that has no event store. */
  readonly source: LogSource | undefined
  readonly consumer: Consumer
  readonly logger: Logger
  /** Where a consumer that starts 'now' begins, by bus partition. */
  readonly beginnings: ReadonlyMap<string, Place>
  /** Resolves when the topics are there. */
  topicsReady(): Promise<unknown>
}

export type Member = Pick<Subscription, 'stop'> & {
  /** Throws while it stands still. */
  check(): void
}

/** One consumer, connected for as long as it runs: a connection that has ended is followed by another. */
export const runMember = (options: MemberOptions): Member => {
  const { address, state, source, consumer, logger, beginnings, topicsReady } = options
  const abort = new AbortController()
  const { signal } = abort
  const standing = createStanding(consumer.group)
  const underWay = createUnderWay()
  const handledHere = new Map<string, Place>()
  const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 })
  let memberId: string | undefined
  let formerMember: string | undefined
  const outages = createOutageLog(
    logger,
    { consumer: consumer.group },
    { began: 'Consumer lost its connection', ended: 'Consumer is connected again' },
  )

  const work: Consumer = {
    ...consumer,
    async handle(deliveries) {
      await consumer.handle(deliveries)
      noteWell()
    },
    onCaughtUp(cursors) {
      noteWell()
      consumer.onCaughtUp?.(cursors)
    },
  }

  const noteWell = () => {
    standing.well('connecting')
    standing.well('no messages come')
    backoff.reset()
    outages.ended()
  }

  const session = {
    address,
    consumer: work,
    standing,
    logger,
    underWay,
    handledHere,
    beginnings,
    state,
    source,
    formerMember: () => formerMember,
    onMember(id: string) {
      memberId = id
      formerMember = undefined
      standing.well('connecting')
    },
  }

  const run = async () => {
    // It rejects only when the bus is closed.
    await Promise.race([topicsReady(), aborted(signal)]).catch(() => abort.abort())
    while (!signal.aborted) {
      try {
        await runSession(session, signal)
      } catch (error) {
        // It may take several attempts until Kafka can be told.
        formerMember = memberId ?? formerMember
        memberId = undefined
        standing.failed('connecting', error)
        outages.began(causeOf(error))
        await backoff.pause(signal)
      }
    }
  }

  const ended = run()
  return {
    async stop() {
      abort.abort()
      await ended
      await underWay.endOfAll()
    },
    check: standing.check,
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
