import type { Config } from '@portal/platform/settings/config'
import { runServices } from '@portal/platform/runtime/run-services'
import { startFeeds } from '@portal/platform/runtime/start-feeds'
import { stopInOrder, type StopStep } from '@portal/platform/runtime/shutdown'
import { systemClockAndIds as clockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Logger } from 'pino'
import { buildServices, projections, publishers } from '../build-services.ts'
import { openPorts } from '../open-ports.ts'
import { type Filled, fillPortal, type FillRequest } from './fill-portal.ts'

const stepTimeoutMs = 30_000

/** Fills what no process uses, then lets the projections run to the end, so that the portal starts as fast as ever. */
export const fillDataFolder = async (config: Config, request: FillRequest, logger: Logger): Promise<Filled> => {
  const ports = await openPorts({ config, publishers, projections, clockAndIds, logger })
  let stopping: readonly StopStep[] = ports.closing
  try {
    const built = buildServices({ config, ports, clockAndIds, logger })
    const { auth, services } = built
    stopping = [{ name: auth.name, stop: auth.stop }, ...ports.closing]
    // Not shown here: the portal's first start makes the password anew, and shows it.
    if (request.withSample) await auth.ensureFirstAdmin(config.firstAdmin)
    const filled = await fillPortal(built, ports, request)
    const feeds = await startFeeds(config.busUrl, services, ports, logger)
    stopping = [...feeds.stopping, ...stopping]
    stopping = [...(await runServices(services, ports, logger)), ...feeds.stopping, ...ports.closing]
    return filled
  } finally {
    await stopInOrder(stopping, stepTimeoutMs, logger)
  }
}
