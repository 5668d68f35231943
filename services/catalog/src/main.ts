import { openRemoteSigningKeys, openServicePorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { catalogService } from './service.ts'

/** The catalog service as a process. */
await runProcess({
  service: 'catalog',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const ports = await openServicePorts(process, {
      ...catalogService,
      vault: 'indexes',
      openOwn: openRemoteSigningKeys,
    })
    return runServices(process, ports, { services: [catalogService.build(ports)] })
  },
})
