import { bindFor, openProcessKeys, openServicePorts, verifySessions } from '@portal/platform/runtime/process-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runService } from '@portal/platform/runtime/run-service'
import { openSessionRecord } from '@portal/platform/session/session-record'
import { buildCatalog } from './app.ts'
import { catalogProjections, catalogPublishers } from './projections.ts'

/** The catalogue as a process. */
await runProcess({
  service: 'catalog',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { clockAndIds, logger, securityLog } = process
    const { vault, eventStore, readModels, bus, limiters } = await openServicePorts(
      process,
      catalogProjections,
      catalogPublishers,
      'indexes',
    )
    const keys = await openProcessKeys(process)
    const bind = bindFor(process, verifySessions(process, keys, readModels, openSessionRecord(eventStore)))
    const catalog = buildCatalog({
      eventStore,
      readModels,
      bus,
      vault,
      clockAndIds,
      limiters,
      bind,
      logger,
      securityLog,
    })
    const ports = { eventStore, bus, readModels }
    const { address } = await runService(process, catalog, ports, { prepare: catalog.ensureFirstUniversities })
    return { address }
  },
})
