import { randomUUID } from 'node:crypto'
import type { StoredStreams } from './stored-streams.ts'

/** Scavenges like EventStoreDB: up to a scavenge point, which closes the chunk. A restart forgets an unfinished scavenge. */
export const createScavenging = ({ log, append }: StoredStreams, nodeEndpoint: string) => {
  let isRunning = false

  const record = (stream: string, type: string, data: object) => {
    const json = {
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify(data)),
      metadata: new Uint8Array(),
    }
    return append(stream, 'any', [{ id: randomUUID(), type, ...json }])
  }

  const run = async (): Promise<void> => {
    const point = await record('$scavengePoints', '$scavengePoint', { threshold: 0 })
    if (point.kind !== 'written') throw new Error('The scavenge point was not recorded')
    log.closeChunk()
    log.scavenge(point.position)
    await record(`$scavenges-${randomUUID()}`, '$scavengeCompleted', { nodeEndpoint, result: 'Success' })
  }

  return {
    /** Returns false if a scavenge is running. */
    start: (): boolean => {
      if (isRunning) return false
      isRunning = true
      void run()
        .catch((error: unknown) => process.stderr.write(`The scavenge failed: ${String(error)}\n`))
        .finally(() => {
          isRunning = false
        })
      return true
    },
  }
}
