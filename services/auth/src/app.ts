import type { Subscription } from '@portal/platform/bus/port'
import { countedFromZero } from '@portal/platform/observability/metrics/metrics'
import { watchPasswords } from '@portal/platform/observability/metrics/watch'
import type { MailSender, SmsSender } from '@portal/platform/outbound/port'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { createCookies } from '@portal/platform/session/cookies'
import type { IdleLimits } from '@portal/platform/session/session-idle'
import type { SessionUses } from '@portal/platform/session/session-uses'
import type { SigningKeys } from '@portal/platform/session/signing-keys'
import { linkOriginOf, type Site } from '@portal/platform/settings/link-origin'
import { type AuthLimits, defaultAuthLimits, smsLimits } from './auth-limits.ts'
import { buildAccounts } from './account/build-accounts.ts'
import { startAccountNotices } from './account-notice/account-notices.ts'
import { createConfirmOwnPassword } from './account/confirm-own-password.ts'
import { createApiKeys } from './api-key/api-keys.ts'
import { createRevokeAllApiKeys } from './api-key/revoke-all.ts'
import { apiKeyRoutes } from './api-key/routes.ts'
import { createApplyAdminRemoval } from './admin-roster/apply-admin-removal.ts'
import { createEnsureFirstAdmin, type EnsureFirstAdmin } from './first-admin/ensure-first-admin.ts'
import { startAuthReactor } from './auth-reactor.ts'
import { createConfirmNumber } from './mobile-number/confirm-number.ts'
import { buildInvitations } from './invitation/build-invitations.ts'
import { startLearnerInvitationMails } from './learner-invitation-mail/learner-invitation-mails.ts'
import { buildPasswordReset } from './password-reset/build-password-reset.ts'
import type { LinkSenderOptions } from './password-reset/send-link.ts'
import { createPasswordHashing, type PasswordHashingOptions } from './passwords/password-hashing.ts'
import { authProjections, authPublishers } from './projections.ts'
import { buildRegistration } from './registration/build-registration.ts'
import { createCompletion } from './registration/completion.ts'
import type { ListedUniversities } from './registration/listed-universities.ts'
import { provingEmail } from './registration/prove-email.ts'
import { buildSecondFactor } from './second-factor/build-second-factor.ts'
import type { AdminMfa } from './second-factor/second-step.ts'
import { buildSessions } from './session/build-sessions.ts'
import { createEndEarlierSessions } from './session/end-earlier-sessions.ts'
import type { Sleep } from './session/progressive-delay.ts'
import { createChangePassword } from './user/change-password.ts'
import { createChangeProfile } from './user/change-profile.ts'
import { createCurrentUniversities, universityNamesProjection } from './user/current-university.ts'
import { createDirectory, createFindUser, createPresentUser } from './user/directory.ts'
import { createErasure, type Erasure } from './user/erasure.ts'
import { createProfileCache } from './user/profile.ts'
import { directoryProjection, loginProjection } from './user/projection.ts'
import { createRecordAccountChange } from './user/record-account-change.ts'
import { createReplacePassword } from './user/replace-password.ts'
import { userRoutes } from './user/routes.ts'

type AuthDeps = ServiceDeps & {
  readonly mail: MailSender
  /** Without one, mail reaches nobody, and admins get the links of invitations to hand them over. */
  readonly hasMailServer: boolean
  readonly sms: SmsSender
  readonly signingKeys: SigningKeys
  /** Default: any university is accepted. */
  readonly universities?: ListedUniversities | undefined
  /** Public address of the portal, for links in mails. */
  readonly site: Site
  readonly limits?: Partial<AuthLimits>
  /** SMS codes that the portal sends per hour. Default: 1,000. */
  readonly smsPerHour?: number
  /** Default: seven days. */
  readonly sessionLifetimeMs?: number
  /** Default: sessions are never idle. */
  readonly sessionIdle?: IdleLimits
  readonly sessionUses?: Pick<SessionUses, 'handle'>
  /** Default: optional. */
  readonly adminMfa?: AdminMfa
  readonly passwordHashing?: PasswordHashingOptions
  readonly linkSenderOptions?: Partial<LinkSenderOptions>
  /** Sleeps before a password check; tests replace it. */
  readonly wait?: Sleep
}

export type Auth = Service &
  Pick<Erasure, 'eraseUser'> & {
    /** Call it before the first request. It needs neither projections nor `start`. */
    readonly ensureFirstAdmin: EnsureFirstAdmin
  }

export const buildAuth = (deps: AuthDeps): Auth => {
  const { eventStore, readModels, bus, vault, limiters } = deps
  const logger = deps.logger.child({ service: 'auth' })
  const { smsPerHour = defaultAuthLimits.smsPerHour.max } = deps
  const limits = { ...defaultAuthLimits, ...smsLimits(smsPerHour), ...deps.limits }
  const limiter = (name: keyof AuthLimits) => limiters.of(name, limits[name])
  const passwords = createPasswordHashing(deps.passwordHashing)
  if (deps.observability) watchPasswords(deps.observability.metrics, passwords.load)
  const shared = { ...deps, logger, limiter, passwords, cookies: createCookies(deps.site.publicOrigin) }

  const profiles = createProfileCache(vault)
  const presentUser = createPresentUser(createCurrentUniversities(readModels.of(universityNamesProjection)))
  const directory = createDirectory({ readModel: readModels.of(directoryProjection), profiles, presentUser })
  const findUser = createFindUser({ directory, eventStore, profiles, presentUser })
  const logins = readModels.of(loginProjection)
  const endEarlierSessions = createEndEarlierSessions(deps)
  const completion = createCompletion({ ...deps, endEarlierSessions })
  const erasure = createErasure({ ...shared, profiles })
  const recordAccountChange = createRecordAccountChange({ ...deps, endEarlierSessions })
  const replacePassword = createReplacePassword({ ...shared, recordAccountChange })
  const confirmNumber = createConfirmNumber(deps)
  const changeProfile = createChangeProfile({ ...deps, presentUser })

  const registration = buildRegistration({ ...shared, completion, confirmNumber })
  const confirmOwnPassword = createConfirmOwnPassword({ ...shared, attemptsPerUser: limiter('passwordChecksPerUser') })
  const secondFactor = buildSecondFactor({ ...shared, findUser, confirmOwnPassword })
  const sessions = buildSessions({ ...shared, logins, findUser, secondFactor: secondFactor.parts })
  const invitation = buildInvitations({ ...shared, completion, profiles, findUser, directory })
  const passwordReset = buildPasswordReset({
    ...shared,
    logins,
    guard: sessions.guard,
    acceptInvitation: invitation.acceptance.accept,
    replacePassword: provingEmail(shared, replacePassword),
  })
  const users = {
    ...deps,
    directory,
    findUser,
    changeProfile,
    changePassword: createChangePassword({
      ...shared,
      replacePassword,
      attemptsPerUser: limiter('passwordChangesPerUser'),
    }),
    changesPerUser: limiter('profileChangesPerUser'),
  }
  const apiKeys = createApiKeys({ ...deps, confirmOwnPassword })
  const accounts = buildAccounts({
    ...shared,
    confirmOwnPassword,
    directory,
    presentUser,
    findUser,
    changeProfile,
    confirmNumber,
    recordAccountChange,
    erasure,
    secondFactors: secondFactor.parts.secondFactors,
  })
  let reactor: Pick<Subscription, 'stop'> | undefined
  let notices: Pick<Subscription, 'stop'> | undefined
  let learnerInvitationMails: Pick<Subscription, 'stop'> | undefined

  return {
    name: 'auth',
    publishers: authPublishers,
    projections: authProjections,
    routes: (app) => {
      registration.routes(app)
      sessions.routes(app)
      userRoutes(app, users)
      accounts.routes(app)
      secondFactor.routes(app)
      apiKeyRoutes(app, { ...deps, apiKeys })
      passwordReset.routes(app)
      invitation.routes(app)
    },
    start: async () => {
      registration.start()
      invitation.start()
      deps.sessionUses?.handle(sessions.recordUse)
      const { control: cursorsIn, continuity } = readModels
      const roleChanged = { event: 'role-changed', result: 'ok' } as const
      reactor = await startAuthReactor({
        bus,
        cursorsIn,
        continuity,
        logger,
        vault,
        completion,
        erasure,
        applyAdminRemoval: createApplyAdminRemoval(deps),
        acceptance: invitation.acceptance,
        endInvitation: invitation.end,
        endEarlierSessions,
        revokeAllApiKeys: createRevokeAllApiKeys(eventStore),
        roleChanges: deps.observability && countedFromZero(deps.observability.metrics.securityEvents, roleChanged),
      })
      const givenUp =
        deps.observability && countedFromZero(deps.observability.metrics.outbound.givenUp, { channel: 'email' })
      notices = await startAccountNotices({
        ...shared,
        givenUp,
        cursorsIn,
        continuity,
        origin: linkOriginOf(deps.site),
        retryDelaysMs: deps.linkSenderOptions?.retryDelaysMs,
        limiters: {
          newDevices: limiter('newDeviceNoticesPerUser'),
          changes: limiter('changeNoticesPerUser'),
          perEvent: limiter('noticesPerEvent'),
        },
      })
      learnerInvitationMails = await startLearnerInvitationMails({
        ...shared,
        givenUp,
        origin: linkOriginOf(deps.site),
        retryDelaysMs: deps.linkSenderOptions?.retryDelaysMs,
        limiters: { perAddress: limiter('learnerInvitationsPerEmail'), perEvent: limiter('noticesPerEvent') },
      })
    },
    stop: async () => {
      await reactor?.stop()
      await notices?.stop()
      await learnerInvitationMails?.stop()
      await registration.stop()
      await invitation.stop()
      await passwordReset.stop()
      await sessions.stop()
      await passwords.close()
    },
    eraseUser: erasure.eraseUser,
    ensureFirstAdmin: createEnsureFirstAdmin(shared),
  }
}
