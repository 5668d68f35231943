import { startPolling } from '@portal/platform/async/polling'
import type { Bus } from '@portal/platform/bus/port'
import { noObservability } from '@portal/platform/observability/observability'
import { createPortalProcess } from '@portal/platform/runtime/portal-process'
import { hostServices } from '@portal/platform/runtime/run-services'
import { stopInOrder } from '@portal/platform/runtime/shutdown'
import type { Config } from '@portal/platform/settings/config'
import { type SeededPortal, seedPortal, type SeedRequest } from '@portal/sample-data/seed-portal'
import type { Logger } from 'pino'
import { openPortal } from './services.ts'

const stepTimeoutMs = 30_000
/** 100,000 learners take about two minutes. */
const catchUpTimeoutMs = 15 * 60_000

const checkEveryMs = 200

/** Rejects once a consumer keeps failing. The portal retries until the disk has room; this command is run again. */
const catchUp = async (hosted: Awaited<ReturnType<typeof hostServices>>, bus: Pick<Bus, 'check'>): Promise<void> => {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const checks = startPolling(() => bus.check(), { everyMs: checkEveryMs, onFailure: reject })
  try {
    await Promise.race([hosted.start(catchUpTimeoutMs), failed])
  } finally {
    await checks.stop()
  }
}

/**
 * Seeds a data folder that no process uses, and lets the projections catch up, so that the next start is fast. With
 * Kafka, the processes of the portal do that: together they are faster.
 */
export const seedDataFolder = async (config: Config, request: SeedRequest, logger: Logger): Promise<SeededPortal> => {
  const { processName: name = 'portal' } = config
  const observability = noObservability()
  const process = createPortalProcess({ name, topology: 'standalone', config, logger, observability })
  try {
    const { ports, built } = await openPortal(process)
    const isWholePortal = config.busUrl.startsWith('memory:')
    const hosted = isWholePortal ? await hostServices(process, ports, built.services) : undefined
    // The first start of the portal generates the password again and shows it.
    if (request.withSample) await built.auth.ensureFirstAdmin(config.firstAdmin)
    const seeded = await seedPortal(ports, request)
    if (hosted) await catchUp(hosted, ports.bus)
    return seeded
  } finally {
    await stopInOrder(process.stopSteps, stepTimeoutMs, logger)
  }
}
