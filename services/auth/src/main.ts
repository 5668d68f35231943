import { serveSessionState } from '@portal/platform/session/remote-session-record'
import { openSessionRecord } from '@portal/platform/session/session-record'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound } from '@portal/platform/outbound/open-outbound'
import { bindFor, openServicePorts, verifySessions } from '@portal/platform/runtime/process-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runService } from '@portal/platform/runtime/run-service'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { serveSigningKeys } from '@portal/platform/session/signing-keys'
import { buildAuth } from './app.ts'
import { remoteUniversities } from './registration/listed-universities.ts'
import { authProjections, authPublishers } from './projections.ts'

/** Auth as a process: accounts, sessions and the keys that the others check them with. */
await runProcess({
  service: 'auth',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, files, clockAndIds, logger, securityLog, observability } = process
    const signingKeys = openSigningKeys({ file: files.sessionKeys, now: clockAndIds.now, logger })
    const outbound = process.keep(
      'outbound',
      observeOutbound(openOutbound(config, clockAndIds.now), observability.metrics),
    )
    const { vault, eventStore, readModels, bus, limiters } = await openServicePorts(
      process,
      authProjections,
      authPublishers,
    )
    const sessions = verifySessions(process, signingKeys, readModels, openSessionRecord(eventStore))
    const bind = bindFor(process, sessions)
    const { catalog: catalogUrl } = config.services
    const { elapsedMs } = clockAndIds
    const universities = catalogUrl === undefined ? undefined : remoteUniversities({ catalogUrl, elapsedMs })
    const auth = buildAuth({
      eventStore,
      readModels,
      bus,
      vault,
      clockAndIds,
      limiters,
      bind,
      logger,
      securityLog,
      observability,
      signingKeys,
      mail: outbound.mail,
      sms: outbound.sms,
      universities,
      site: config.http,
      smsPerHour: config.smsPerHour,
      sessionLifetimeMs: config.sessionLifetimeMs,
    })
    const { address, prepared } = await runService(
      process,
      auth,
      { eventStore, bus, readModels },
      {
        prepare: () => auth.ensureFirstAdmin(config.firstAdmin),
        more: (app) => {
          serveSigningKeys(app, signingKeys)
          serveSessionState(app, sessions)
        },
      },
    )
    return { address, firstAdmin: prepared }
  },
})
