import { z } from 'zod'
import type { NodeRecord } from '../event-store/eventstoredb/node-client.ts'
import { parseJson } from '../files/parse-json.ts'
import { keyStreams, portalCategories } from './inspect-event-store.ts'
import { searchLog, withCluster } from './search-log.ts'

type TruncatedStream = {
  readonly stream: string
  /** The metadata that truncates it, such as `$maxCount 10`. */
  readonly by: string
}

export type TruncatedStreams = {
  /** The newest first. At most `maxNamed`. */
  readonly streams: readonly TruncatedStream[]
  /** The log was searched to its start, or far enough. */
  readonly isComplete: boolean
}

/** An operator needs a few names, not all. */
const maxNamed = 20

const number = z.number().optional().catch(undefined)
const metadataSchema = z.looseObject({ $maxCount: number, $maxAge: number, $tb: number }).catch({})

/** The prefix of the stream with the metadata of another. */
const metadataPrefix = '$$'

const isOfPortal = (stream: string): boolean =>
  stream.startsWith(keyStreams) || portalCategories.some((category) => stream.startsWith(`${category}-`))

const truncationIn = (data: Uint8Array): string | undefined => {
  // The server ignores metadata that is no JSON.
  const { $maxCount, $maxAge, $tb } = metadataSchema.parse(parseJson(Buffer.from(data).toString('utf8')))
  if ($maxCount !== undefined) return `$maxCount ${$maxCount}`
  if ($maxAge !== undefined) return `$maxAge ${$maxAge}`
  return $tb !== undefined && $tb > 0 ? `$tb ${$tb}` : undefined
}

/** Takes the records newest first. Only the newest metadata of a stream counts, and none of a tombstoned stream, such as an erased key. */
const createTruncations = () => {
  const decided = new Set<string>()
  const streams: TruncatedStream[] = []
  return {
    streams,
    /** Returns false once enough streams are found. */
    add: ({ type, stream, data }: NodeRecord): boolean => {
      const of = type === '$streamDeleted' ? stream : stream.slice(metadataPrefix.length)
      if (!isOfPortal(of) || decided.has(of)) return true
      decided.add(of)
      const by = type === '$streamDeleted' ? undefined : truncationIn(data)
      if (by !== undefined) streams.push({ stream: of, by })
      return streams.length < maxNamed
    },
  }
}

/**
 * The streams of the portal whose metadata truncates them: the server hides their older events, and a scavenge removes them. The portal
 * sets no such metadata. Searches the log, and returns what it found when the time is up.
 */
export const findTruncatedStreams = (
  url: string,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<TruncatedStreams> =>
  withCluster(url, async (cluster) => {
    const { streams, add } = createTruncations()
    const typePattern = String.raw`^\$(metadata|streamDeleted)$`
    return { isComplete: await searchLog(cluster, { typePattern, timeoutMs }, add), streams }
  })
