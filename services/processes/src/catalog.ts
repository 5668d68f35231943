import { authPublishers } from '@portal/auth/projections'
import { remoteContacts } from '@portal/catalog/enrollment/learner-contacts'
import { catalogService } from '@portal/catalog/service'
import { openRemoteSigningKeys, openServicePorts } from '@portal/platform/runtime/open-ports'
import { requireServiceUrl } from '@portal/platform/runtime/startup-checks'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'

/** The catalog process: universities, programs and enrollments. */
await runProcess({
  service: 'catalog',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { projections, publishers, build } = catalogService
    const ports = await openServicePorts(process, {
      projections,
      publishers: [...publishers, ...authPublishers],
      openOwn: openRemoteSigningKeys,
    })
    const contacts = remoteContacts(requireServiceUrl(process.config, 'notifications'))
    return runServices(process, ports, { services: [build(ports, { contacts })] })
  },
})
