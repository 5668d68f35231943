import { findForeignLog } from '@portal/platform/discontinuity/log-identity'
import { controlNamespace } from '@portal/platform/generations/open-generations'
import { createCommandLogger } from '../output/command-logger.ts'
import type { Config } from '@portal/platform/settings/config'
import { readModelUrlOf, shownAddressOf } from '@portal/platform/files/storage-urls'
import { dropReadModel, openReadModel } from '@portal/platform/adapters/open-adapters'
import type { ReplayPorts } from '@portal/platform/generations/run-with-replay-lock'
import type { ReadModel } from '@portal/platform/read-model/port'
import { CommandError } from '../command.ts'
import { type EventLog, openLog } from '../settings/open-engines.ts'
import { publishers } from './replayed-projections.ts'

export type OpenReplayPorts = ReplayPorts & {
  readonly log: EventLog
  close(): Promise<void>
}

/** Opens the namespace `control` for `work`. */
export const withControl = async <T>(
  ports: Pick<ReplayPorts, 'open'>,
  work: (control: ReadModel) => Promise<T>,
): Promise<T> => {
  const control = await ports.open(controlNamespace)
  try {
    return await work(control)
  } finally {
    await control.close()
  }
}

/** Throws ForeignLogError if the read models were derived from another event store: a replay from this one would lose their data. */
export const requireOwnLog = ({ eventStoreUrl }: Config, ports: OpenReplayPorts): Promise<void> =>
  withControl(ports, async (control) => {
    const foreign = await findForeignLog(shownAddressOf(eventStoreUrl), ports.log, control)
    if (foreign !== undefined) throw foreign
  })

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
    logger: createCommandLogger(),
    close: () => log.close(),
  }
}
