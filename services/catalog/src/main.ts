import { openRemoteSigningKeys, openServicePorts } from '@portal/platform/runtime/open-ports'
import { requireServiceUrl } from '@portal/platform/runtime/startup-checks'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { remoteContacts } from './enrollment/learner-contacts.ts'
import { catalogService } from './service.ts'

/** The catalog service as a process. */
await runProcess({
  service: 'catalog',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const ports = await openServicePorts(process, {
      ...catalogService,
      openOwn: openRemoteSigningKeys,
    })
    const contacts = remoteContacts(requireServiceUrl(process.config, 'notifications'))
    return runServices(process, ports, { services: [catalogService.build(ports, { contacts })] })
  },
})
