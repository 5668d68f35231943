import { existsSync } from 'node:fs'
import { dataFiles } from '@portal/platform/files/data-folder'
import type { ScavengeProgress } from '@portal/platform/operations/scavenge/scavenge-event-store'
import { countDestroyedKeysIn, wipeDestroyedKeysIn } from '@portal/platform/personal-data/destroyed-keys'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { counted, duration } from '../output/format.ts'
import { errorLine, isFile, displayAddressOf } from '../settings/engine-addresses.ts'

type Scavenged = {
  readonly at: string
  readonly nodes: readonly string[]
  /** Erased keys on disk before. `left`: those after it, of users erased meanwhile. */
  readonly erasedKeys: number
  readonly left: number
  readonly tookMs: number
}

export const scavengedText = ({ at, nodes, erasedKeys, left, tookMs }: Scavenged): string => {
  const gone = counted(Math.max(0, erasedKeys - left), 'erased key')
  const where = nodes.length > 1 ? ` on ${nodes.length} nodes` : ''
  const rest = left === 0 ? '' : ` ${counted(left, 'key')} erased since then: run make scavenge again.`
  return `Scavenged ${at}${where} in ${duration(tookMs)}: ${gone} removed from disk.${rest}`
}

export const scavengeProgressText = ({ node, steps }: ScavengeProgress): string =>
  `scavenging ${node}, ${counted(steps, 'step')} done`

type Result = Omit<Scavenged, 'tookMs'>

/** SQLite overwrites destroyed keys. Only the write-ahead log may still have them, while another process reads it. */
const scavengeFile = (dataDir: string): Result => {
  const { userKeys: at } = dataFiles(dataDir)
  if (!existsSync(at)) throw new CommandError(`There are no users' keys at ${at}: is DATA_DIR the portal's?`)
  const erasedKeys = countDestroyedKeysIn(at)
  if (!wipeDestroyedKeysIn(at))
    throw new CommandError(`Another process reads ${at}; run make scavenge again when it has finished`)
  return { at, nodes: [], erasedKeys, left: countDestroyedKeysIn(at) }
}

type Waiting = { readonly signal: AbortSignal; readonly onProgress: (progress: ScavengeProgress) => void }

const scavengeServer = async (url: string, { signal, onProgress }: Waiting): Promise<Result> => {
  const at = displayAddressOf(url)
  const { scavengeEventStore } = await import('@portal/platform/operations/scavenge/scavenge-event-store')
  const outcome = await scavengeEventStore(url, { signal, onProgress }).catch((cause: unknown) => {
    if (signal.aborted)
      throw new CommandError('Stopped waiting. EventStoreDB continues the scavenge; make status shows what is left')
    throw new CommandError(`EventStoreDB at ${at} cannot be scavenged: ${errorLine(cause, url)}`, { cause })
  })
  if (outcome.kind === 'denied')
    throw new CommandError(
      `EventStoreDB at ${at} does not allow this user to scavenge: set ADMIN_URL to a user of $ops or $admins`,
    )
  if (outcome.kind === 'failed')
    throw new CommandError(`The scavenge of ${outcome.node} did not succeed (${outcome.why}); run make scavenge again`)
  const { nodes, before, after } = outcome
  return { at, nodes, erasedKeys: before.keys, left: after.keys }
}

const isEventStoreDb = (url: string): boolean => /^esdb(\+discover)?:\/\//.test(url)

/** Removes keys of erased users from disk. */
export const scavengePortal = async (
  { eventStoreUrl, dataDir }: Pick<Config, 'eventStoreUrl' | 'dataDir'>,
  adminUrl: string | undefined,
  waiting: Waiting,
): Promise<Result> => {
  if (adminUrl !== undefined && !isEventStoreDb(adminUrl))
    throw new CommandError(
      'ADMIN_URL must be the address of EventStoreDB with an administrator: esdb://admin:…@host:2113',
    )
  if (!isFile(eventStoreUrl)) return scavengeServer(adminUrl ?? eventStoreUrl, waiting)
  if (adminUrl !== undefined)
    throw new CommandError('ADMIN_URL is set, but this portal keeps its log in SQLite: is DATA_DIR the portal’s?')
  return scavengeFile(dataDir)
}
