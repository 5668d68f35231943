import type { TruncatedStreams } from '@portal/platform/operations/truncated-streams'
import type { Config } from '@portal/platform/settings/config'
import { isFile } from '../settings/engine-addresses.ts'

const searchTimeoutMs = 1_000

/** The portal's streams that EventStoreDB truncates; undefined with SQLite, which truncates none. */
export const truncatedStreams = async (
  { eventStoreUrl: url }: Pick<Config, 'eventStoreUrl'>,
  timeoutMs = searchTimeoutMs,
): Promise<TruncatedStreams | undefined> => {
  if (isFile(url)) return undefined
  const { findTruncatedStreams } = await import('@portal/platform/operations/truncated-streams')
  return findTruncatedStreams(url, { timeoutMs })
}

const maxNamed = 3

export const truncationTodo =
  'remove $maxCount, $maxAge and $tb from the metadata of the streams, and start no scavenge before'

/** 'EventStoreDB truncates user-1 ($maxCount 10) and 2 other streams'. Undefined if there are none. */
export const truncatedStreamsText = ({ streams }: TruncatedStreams): string | undefined => {
  if (streams.length === 0) return undefined
  const named = streams.slice(0, maxNamed).map(({ stream, by }) => `${stream} (${by})`)
  const others = streams.length - named.length
  const rest = others === 0 ? '' : ` and ${others} other ${others === 1 ? 'stream' : 'streams'}`
  return `EventStoreDB truncates ${named.join(', ')}${rest}`
}
