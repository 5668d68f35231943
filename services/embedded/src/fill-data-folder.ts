import type { Seeded } from '@portal/auth/seed/seed-learners'
import { firstUniversityNames } from '@portal/catalog/university/first-universities'
import type { Config } from '@portal/platform/runtime/config'
import { runServices } from '@portal/platform/runtime/run-services'
import { startFeeds } from '@portal/platform/runtime/start-feeds'
import { stopInOrder, type StopStep } from '@portal/platform/runtime/shutdown'
import { systemSources as sources } from '@portal/platform/runtime/system-sources'
import type { Logger } from 'pino'
import { buildServices, projections, publishers } from './build-services.ts'
import { openPorts } from './open-ports.ts'

const stepTimeoutMs = 30_000

/** Records learners, then lets the projections run to the end, so that the portal starts as fast as ever. */
export const fillDataFolder = async (
  config: Config,
  learners: { readonly count: number; readonly password: string },
  logger: Logger,
): Promise<Seeded> => {
  const ports = await openPorts({ config, publishers, projections, sources, logger })
  let stopping: readonly StopStep[] = ports.closing
  try {
    const { auth, catalog, services } = buildServices({ config, ports, sources, logger })
    stopping = [{ name: auth.name, stop: auth.stop }, ...ports.closing]
    await catalog.ensureFirstUniversities()
    const seeded = await auth.seedLearners({ ...learners, universityNames: firstUniversityNames })
    const feeds = await startFeeds(config.busUrl, services, ports, logger)
    stopping = [...feeds.stopping, ...stopping]
    stopping = [...(await runServices(services, ports, logger)), ...feeds.stopping, ...ports.closing]
    return seeded
  } finally {
    await stopInOrder(stopping, stepTimeoutMs, logger)
  }
}
