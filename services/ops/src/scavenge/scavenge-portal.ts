import { existsSync } from 'node:fs'
import { accessErrorOf } from '@portal/platform/event-store/eventstoredb/access-error'
import { dataFiles } from '@portal/platform/files/data-folder'
import { countDestroyedKeysIn, wipeDestroyedKeysIn } from '@portal/platform/personal-data/destroyed-keys'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { counted } from '../output/format.ts'
import { displayAddressOf, errorLine, isFile } from '../settings/engine-addresses.ts'
import { erasedKeysOnDisk } from './erased-keys.ts'
import { truncatedStreams, truncatedStreamsText, truncationTodo } from './truncated-streams.ts'

type Scavenged = {
  readonly at: string
  readonly nodes: readonly string[]
  /** Erased keys on disk before. */
  readonly erasedKeys: number
  /** Those after it, of users erased meanwhile. Undefined while EventStoreDB is still scavenging. */
  readonly left?: number
}

export const scavengedText = ({ at, erasedKeys, left }: Scavenged): string => {
  if (left === undefined)
    return [
      `Started a scavenge of ${at}, with ${counted(erasedKeys, 'erased key')} on disk.`,
      'make status counts erased keys until all nodes are scavenged. For the next node, see docs/eventstoredb.md.',
    ].join('\n')
  const rest = left === 0 ? '' : ` ${counted(left, 'key')} erased since then: run make scavenge again.`
  return `Scavenged ${at}: ${counted(Math.max(0, erasedKeys - left), 'erased key')} removed from disk.${rest}`
}

/** SQLite overwrites destroyed keys. Only the write-ahead log may still have them, while another process reads it. */
const scavengeFile = (dataDir: string): Scavenged => {
  const { userKeys: at } = dataFiles(dataDir)
  if (!existsSync(at)) throw new CommandError(`There are no users' keys at ${at}: is DATA_DIR the portal's?`)
  const erasedKeys = countDestroyedKeysIn(at)
  if (!wipeDestroyedKeysIn(at))
    throw new CommandError(`Another process reads ${at}; run make scavenge again when it has finished`)
  return { at, nodes: [], erasedKeys, left: countDestroyedKeysIn(at) }
}

const countTimeoutMs = 600_000

/** A scavenge would remove the portal's events that metadata of their streams hides. */
const requireNoTruncation = async (config: Pick<Config, 'eventStoreUrl'>): Promise<void> => {
  const found = await truncatedStreams(config, countTimeoutMs)
  const text = found && truncatedStreamsText(found)
  if (text !== undefined)
    throw new CommandError(
      `${text}, and a scavenge would remove their events: ${truncationTodo} (docs/eventstoredb.md)`,
    )
  if (found?.isComplete === false)
    throw new CommandError(
      'The log is too long to search for streams that a scavenge would truncate: run make scavenge again',
    )
}

/** Counts first: if the portal's own store is unavailable, the scavenge could not be recorded. */
const startScavengeOf = async (
  url: string,
  config: Pick<Config, 'eventStoreUrl' | 'dataDir'>,
  setting: 'ADMIN_URL' | 'EVENT_STORE_URL',
): Promise<Scavenged> => {
  const at = displayAddressOf(url)
  const failed = (what: string, named: string) => (cause: unknown) => {
    const access = accessErrorOf(cause, named)
    throw new CommandError(access?.message ?? `EventStoreDB at ${what}: ${errorLine(cause, url)}`, { cause })
  }
  const own = displayAddressOf(config.eventStoreUrl)
  const found = await erasedKeysOnDisk(config, countTimeoutMs).catch(
    failed(`${own} cannot count the erased keys`, 'EVENT_STORE_URL'),
  )
  await requireNoTruncation(config)
  const { startScavenge } = await import('@portal/platform/operations/scavenge/start-scavenge')
  const start = await startScavenge(url, { setting }).catch(failed(`${at} did not start a scavenge`, setting))
  if (start === 'denied')
    throw new CommandError(
      `EventStoreDB at ${at} does not allow this user to scavenge: set ADMIN_URL to a user of $ops or $admins`,
    )
  if (start === 'in-progress')
    throw new CommandError(
      `A scavenge of ${at} is already running. It may not reach the newest erased keys: run make scavenge again when it has ended`,
    )
  return { at, nodes: [at.replace('esdb://', '')], erasedKeys: found?.keys ?? 0 }
}

/** Removes keys of erased users from disk. With EventStoreDB, starts the scavenge of one node that does so. */
export const scavengePortal = async (
  config: Pick<Config, 'eventStoreUrl' | 'dataDir'>,
  adminUrl?: string,
): Promise<Scavenged> => {
  if (adminUrl === undefined && isFile(config.eventStoreUrl)) return scavengeFile(config.dataDir)
  const url = adminUrl ?? config.eventStoreUrl
  if (!/^esdb:\/\/[^,]+$/.test(displayAddressOf(url)))
    throw new CommandError(
      'ADMIN_URL must name one node of EventStoreDB, with an administrator: esdb://admin:…@es1:2113',
    )
  if (isFile(config.eventStoreUrl))
    throw new CommandError('ADMIN_URL is set, but this portal keeps its log in SQLite: is DATA_DIR the portal’s?')
  return startScavengeOf(url, config, adminUrl === undefined ? 'EVENT_STORE_URL' : 'ADMIN_URL')
}
