import { remoteUniversities } from '@portal/auth/registration/listed-universities'
import { authService, openAuthPorts } from '@portal/auth/service'
import { catalogPublishers } from '@portal/catalog/projections'
import { openServicePorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { serveSessionState } from '@portal/platform/session/session-record'

/** The auth process: accounts, sessions, and the keys that other processes verify sessions with. */
await runProcess({
  service: 'auth',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, clockAndIds } = process
    const { projections, publishers, build } = authService
    const ports = await openServicePorts(process, {
      projections,
      publishers: [...publishers, ...catalogPublishers],
      openOwn: (own) => openAuthPorts(own),
    })
    const { catalog: catalogUrl } = config.services
    const { elapsedMs } = clockAndIds
    const universities = catalogUrl === undefined ? undefined : remoteUniversities({ catalogUrl, elapsedMs })
    const auth = build(ports, { ...ports, universities })
    const routes: typeof auth.routes = (app) => {
      auth.routes(app)
      serveSessionState(app, ports.sessions)
    }
    return runServices(process, ports, { services: [{ ...auth, routes }] })
  },
})
