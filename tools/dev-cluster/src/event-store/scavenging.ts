import { randomUUID } from 'node:crypto'
import type { ProposedRecord } from './record-log.ts'
import type { StoredStreams } from './stored-streams.ts'

const pointsStream = '$scavengePoints'
const historyStream = '$scavenges'

const jsonRecord = (type: string, data: object): ProposedRecord => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: new Uint8Array(),
})

const linkTo = (revision: number, stream: string): ProposedRecord => ({
  ...jsonRecord('$>', {}),
  contentType: 'application/octet-stream',
  data: Buffer.from(`${revision}@${stream}`),
})

type ScavengeStart = { readonly id: string; readonly kind: 'started' | 'in-progress' }

/**
 * Scavenges as EventStoreDB runs them: up to the newest scavenge point that this node has not done yet, else up to a new one.
 * A new point closes the chunk. One that was cut off by the end of the process goes on with the same point next time.
 */
export const createScavenging = (stored: StoredStreams, nodeEndpoint: string) => {
  const { log } = stored
  let running: string | undefined
  let held: PromiseWithResolvers<void> | undefined

  const note = async (scavengeId: string, type: string, more: object = {}): Promise<void> => {
    const stream = `${historyStream}-${scavengeId}`
    const written = await stored.append(stream, 'any', [jsonRecord(type, { scavengeId, nodeEndpoint, ...more })])
    if (written.kind === 'written') await stored.append(historyStream, 'any', [linkTo(written.revision, stream)])
  }
  const complete = (id: string, result: string): Promise<void> =>
    note(id, '$scavengeCompleted', { result, error: '', timeTaken: '00:00:00', spaceSaved: 0 })

  /** The position of the point to scavenge up to, and its number. */
  const nextPoint = async (): Promise<{ readonly number: number; readonly position: number }> => {
    const newest = log.streamState(pointsStream).last
    if (newest <= log.scavengedPoint()) {
      await stored.append(pointsStream, 'any', [jsonRecord('$scavengePoint', { threshold: 0 })])
      log.closeChunk()
    }
    const [point] = log.streamBackwards(pointsStream, Number.MAX_SAFE_INTEGER, 1)
    if (point?.revision == null) throw new Error('The scavenge point was not recorded')
    return { number: point.revision, position: point.position }
  }

  const run = async (id: string): Promise<void> => {
    await note(id, '$scavengeStarted')
    const point = await nextPoint()
    await held?.promise
    log.scavenge(point.position, point.number)
    await note(id, '$scavengeChunksCompleted', { chunkStartNumber: 0, chunkEndNumber: 0, wasScavenged: true })
    await complete(id, 'Success')
  }

  return {
    start: (): ScavengeStart => {
      if (running !== undefined) return { id: running, kind: 'in-progress' }
      const id = randomUUID()
      running = id
      void run(id)
        .catch((error: unknown) => process.stderr.write(`The scavenge failed: ${String(error)}\n`))
        .finally(() => {
          running = undefined
        })
      return { id, kind: 'started' }
    },
    /** Scavenges that begin from now on wait, after their point has been chosen, until they are released. */
    hold: (): void => {
      held ??= Promise.withResolvers()
    },
    release: (): void => {
      held?.resolve()
      held = undefined
    },
    /** Those that the last process did not finish are on record as interrupted, as a restarted server records them. */
    markInterrupted: async (): Promise<void> => {
      for (const stream of log.unfinishedScavenges())
        await complete(stream.slice(historyStream.length + 1), 'Interrupted')
    },
  }
}
