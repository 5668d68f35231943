import { forgetWithKey } from '@portal/platform/outbound/forget-with-key'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound, type Outbound } from '@portal/platform/outbound/open-outbound'
import type { PushKeys } from '@portal/platform/outbound/web-push/push-keys'
import type { PortalProcess } from '@portal/platform/runtime/portal-process'
import type { ServiceDefinition } from '@portal/platform/runtime/service'
import { openSigningKeys, serveSigningKeys, type SigningKeys } from '@portal/platform/session/signing-keys'
import { type Auth, buildAuth } from './app.ts'
import { authProjections, authPublishers } from './projections.ts'
import type { ListedUniversities } from './registration/listed-universities.ts'

/** What only the process with auth has: the keys that it signs with, and the way to mail and SMS. */
export type AuthPorts = { readonly signingKeys: SigningKeys; readonly outbound: Outbound }

/** `pushKeys`: of a process that pushes, too. */
export const openAuthPorts = async (process: PortalProcess, pushKeys?: PushKeys): Promise<AuthPorts> => {
  const { config, files, clockAndIds, logger, observability } = process
  const { now } = clockAndIds
  const signingKeys = openSigningKeys({ file: files.sessionKeys, now, logger })
  const opened = openOutbound(config, { now, logger, ...(pushKeys && { pushKeys }) })
  const outbound = process.closeOnStop('outbound', observeOutbound(opened, observability.metrics))
  for (const part of outbound.healthParts) process.addHealthPart(part)
  return { signingKeys, outbound }
}

type AuthLinks = AuthPorts & {
  /** Any university is accepted without it. */
  readonly universities: ListedUniversities | undefined
}

export const authService: ServiceDefinition<AuthLinks, Auth> = {
  name: 'auth',
  publishers: authPublishers,
  projections: authProjections,
  build: (host, { signingKeys, outbound, universities }) => {
    const { config } = host
    const auth = buildAuth({
      ...host,
      vault: forgetWithKey(host.vault, outbound),
      signingKeys,
      mail: outbound.mail,
      hasMailServer: config.outbound.smtpUrl !== undefined,
      sms: outbound.sms,
      universities,
      site: config.http,
      smsPerHour: config.smsPerHour,
      sessionLifetimeMs: config.sessionLifetimeMs,
      sessionIdle: config.sessionIdle,
      adminMfa: config.adminMfa,
    })
    return {
      ...auth,
      routes: (app) => {
        serveSigningKeys(app, signingKeys)
        auth.routes(app)
      },
      prepare: () => auth.ensureFirstAdmin(config.firstAdmin),
    }
  },
}
