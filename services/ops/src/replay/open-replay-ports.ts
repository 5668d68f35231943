import { createLogger } from '@portal/platform/observability/logger'
import type { Config } from '@portal/platform/settings/config'
import { readModelUrlOf } from '@portal/platform/files/storage-urls'
import { dropReadModel, openReadModel } from '@portal/platform/adapters/open-adapters'
import type { ReplayPorts } from '@portal/platform/generations/run-with-replay-lock'
import { CommandError } from '../command.ts'
import { openLog } from '../settings/open-engines.ts'
import { publishers } from './replayed-projections.ts'

export type OpenReplayPorts = ReplayPorts & { close(): Promise<void> }

/** Opens the log for reading and the read models for writing. A replay has no other access. */
export const openReplayPorts = async (config: Config): Promise<OpenReplayPorts> => {
  const { readModelUrl, busUrl } = config
  if (readModelUrl.startsWith('memory:'))
    throw new CommandError('READ_MODEL_URL: in-memory read models cannot be replayed')
  const log = await openLog(config)
  return {
    log,
    publishers,
    open: (namespace) => openReadModel(readModelUrlOf(config, namespace), namespace),
    drop: (namespace) => dropReadModel(readModelUrlOf(config, namespace), namespace),
    busIsLog: busUrl.startsWith('memory:'),
    // Standard output is for the report.
    logger: createLogger({ level: 'warn', destination: process.stderr }),
    close: () => log.close(),
  }
}
