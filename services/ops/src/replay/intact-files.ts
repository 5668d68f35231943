import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { processesStatus } from '../status/processes-status.ts'

const part = 'read-models: '

/**
 * Throws if the running portal reports that a file of the read models is locked, or was deleted or replaced. Call it before one is opened:
 * a new file would get the write-ahead log that the portal still uses.
 */
export const requireIntactFiles = async ({ readModelUrl, dataDir }: Config): Promise<void> => {
  if (!isFile(readModelUrl)) return
  const reasons = (await processesStatus(dataDir)).flatMap(({ health }) => health?.reasons ?? [])
  const reason = reasons.find((line) => line.startsWith(part))
  if (reason !== undefined) throw new CommandError(reason.slice(part.length))
}
