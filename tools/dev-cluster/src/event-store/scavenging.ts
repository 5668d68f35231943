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
 * Scavenges like EventStoreDB: up to the newest scavenge point that this node has not scavenged yet, or up to a new one. A new
 * point closes the chunk. An interrupted scavenge continues with the same point after a restart.
 */
export const createScavenging = (stored: StoredStreams, nodeEndpoint: string) => {
  const { log } = stored
  let running: string | undefined
  let held: PromiseWithResolvers<void> | undefined

  const recordStep = async (scavengeId: string, type: string, more: object = {}): Promise<void> => {
    const stream = `${historyStream}-${scavengeId}`
    const written = await stored.append(stream, 'any', [jsonRecord(type, { scavengeId, nodeEndpoint, ...more })])
    if (written.kind === 'written') await stored.append(historyStream, 'any', [linkTo(written.revision, stream)])
  }
  const complete = (id: string, result: string): Promise<void> =>
    recordStep(id, '$scavengeCompleted', { result, error: '', timeTaken: '00:00:00', spaceSaved: 0 })

  /** The number and position of the point to scavenge up to. */
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
    await recordStep(id, '$scavengeStarted')
    const point = await nextPoint()
    await held?.promise
    log.scavenge(point.position, point.number)
    await recordStep(id, '$scavengeChunksCompleted', { chunkStartNumber: 0, chunkEndNumber: 0, wasScavenged: true })
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
    /** Later scavenges choose their point, and then wait until they are released. */
    hold: (): void => {
      held ??= Promise.withResolvers()
    },
    release: (): void => {
      held?.resolve()
      held = undefined
    },
    /** Records unfinished scavenges as interrupted, like a restarted server. */
    markInterrupted: async (): Promise<void> => {
      for (const stream of log.unfinishedScavenges())
        await complete(stream.slice(historyStream.length + 1), 'Interrupted')
    },
  }
}
