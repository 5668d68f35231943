import { type Polling, startPolling } from '@portal/platform/async/polling'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { linkOriginOf } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import { createAdminRoster } from '../admin-roster/admin-roster.ts'
import type { AuthLimits } from '../auth-limits.ts'
import { type LinkSenderPorts, openLinkSender } from '../password-reset/send-link.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { Completion } from '../registration/completion.ts'
import type { Directory, FindUser } from '../user/directory.ts'
import type { ProfileCache } from '../user/profile.ts'
import { createAcceptInvitation } from './accept-invitation.ts'
import { createEndInvitation } from './end-invitation.ts'
import { createInvitations } from './invitations.ts'
import { invitationsProjection } from './projection.ts'
import { invitationRoutes } from './routes.ts'

type InvitationDeps = Pick<
  ServiceDeps,
  'bind' | 'eventStore' | 'readModels' | 'vault' | 'clockAndIds' | 'securityLog'
> &
  LinkSenderPorts & {
    readonly passwords: PasswordHashing
    readonly profiles: ProfileCache
    readonly completion: Completion
    readonly findUser: FindUser
    readonly directory: Directory
    readonly hasMailServer: boolean
    limiter(name: keyof AuthLimits): AttemptLimiter
  }

const minuteMs = 60_000
/** A mail server may be down for a day. The links are valid for longer, and invited people cannot ask for another one. */
const retryDelaysMs = [5_000, 30_000, ...[2, 5, 15, 60, 240, 480, 720].map((minutes) => minutes * minuteMs)]

/** Personal data of invitations that expired long ago lasts this much longer. */
const lapseEveryMs = 3_600_000

/** Wires invitations into the auth service. */
export const buildInvitations = (deps: InvitationDeps) => {
  const { readModels, site, logger } = deps
  const links = openLinkSender({ ...deps, linkSenderOptions: { retryDelaysMs, ...deps.linkSenderOptions } })
  const readModel = readModels.of(invitationsProjection)
  const roster = createAdminRoster(deps)
  const end = createEndInvitation(deps)
  const acceptance = createAcceptInvitation({ ...deps, roster, end })
  const origin = linkOriginOf(site)
  const invitations = createInvitations({ ...deps, readModel, links, origin, roster, acceptance, end })
  let lapsing: Polling | undefined
  return {
    acceptance,
    end,
    routes: (app: FastifyInstance): void =>
      invitationRoutes(app, { ...deps, invitations, perAdmin: deps.limiter('invitationsPerAdmin') }),
    start: (): void => {
      lapsing = startPolling(() => end.lapseExpired(readModel), {
        everyMs: lapseEveryMs,
        onFailure: (err) => logger.warn({ err }, 'failed to end expired invitations'),
      })
    },
    stop: async (): Promise<void> => {
      await lapsing?.stop()
      await links.stop()
    },
  }
}
