import type { UserId } from '@portal/contracts/shared/ids'
import type { PushClientConfig } from '@portal/contracts/notifications/http'
import type { PushSender } from '@portal/platform/outbound/port'
import { recordCalls } from '@portal/platform/http/record-calls'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { makeIsEnded, sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { activityRoutes, createActivityReader } from './activity/activity-reader.ts'
import { buildAudience } from './build-audience.ts'
import { createPersonEnrollments } from './audience/person-enrollments.ts'
import { audienceProjection } from './audience/projection.ts'
import type { FindContacts } from './audience/find-contacts.ts'
import type { PeopleIndex } from './audience/people-index.ts'
import type { SelectAudience } from './audience/select-audience.ts'
import { createHeldReader } from './held-send/held-list.ts'
import { createHoldCampaign } from './held-send/hold-campaign.ts'
import { heldSendRoutes } from './held-send/routes.ts'
import { createSendHeld } from './held-send/send-held.ts'
import { createTakeBack } from './held-send/take-back.ts'
import { actionRoutes } from './actions/routes.ts'
import { buildConsoleRoutes } from './build-console.ts'
import { createCampaignStates } from './actions/campaign-states.ts'
import { createCancelCampaign } from './actions/cancel-campaign.ts'
import { createResendableRecipients } from './actions/resend-campaign.ts'
import { createRecallCampaign } from './actions/recall-campaign.ts'
import { createResendCampaign } from './actions/resend-campaign.ts'
import { createAnswerSender } from './campaign/answer-sender.ts'
import { campaignRoutes, recordedSends } from './campaign/routes.ts'
import { createSendCampaign } from './campaign/send-campaign.ts'
import { createKnownRecipients } from './known-recipients/known-recipients.ts'
import { recipientProjection } from './known-recipients/projection.ts'
import { buildWorkers } from './build-workers.ts'
import { createChangeScheduled, createDiscardScheduled } from './scheduled-send/change-scheduled.ts'
import { createPresentScheduled } from './scheduled-send/present-scheduled.ts'
import { scheduledSendRoutes } from './scheduled-send/routes.ts'
import { createScheduleSend } from './scheduled-send/schedule-send.ts'
import { createSendScheduled } from './scheduled-send/send-scheduled.ts'
import type { SeenCounter, SeenSource } from './seen-reports.ts'
import { createDevices, createHandleDevice } from './device/devices.ts'
import { deviceProjection } from './device/projection.ts'
import { createOwnDevices } from './device/own-devices.ts'
import { createRegisterToken, newTokensLimit } from './device/register-token.ts'
import { deviceRoutes, pushTestsLimit, testSendsLimit } from './device/routes.ts'
import type { TestPush } from './device/test-push.ts'
import { createInboxReader, type InboxReader } from './inbox/inbox-reader.ts'
import { createMarkRead } from './inbox/mark-read.ts'
import { inboxProjection } from './inbox/projection.ts'
import { createRecordClick } from './inbox/clicks.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { createContentCache, readTextFromLog } from './inbox/content-cache.ts'
import { type CampaignProgressReader, createCampaignProgress } from './campaign/progress.ts'
import { createFillTexts } from './placeholders/fill-texts.ts'
import { createRecipientValues } from './placeholders/recipient-values.ts'
import { createReadOwnData } from './own-data/read-own-data.ts'
import { ownDataLimit, ownDataRoutes } from './own-data/routes.ts'
import { createChangeDrafts } from './draft/change-drafts.ts'
import { createDraftsReader } from './draft/drafts-reader.ts'
import { draftProjection } from './draft/projection.ts'
import { draftChangesLimit, draftRoutes } from './draft/routes.ts'
import { createHandlePreferences } from './preferences/handle-preferences.ts'
import type { HasMailServer } from './preferences/mail-server.ts'
import { createPreferencesReader } from './preferences/preferences-reader.ts'
import { preferencesProjection } from './preferences/projection.ts'
import { preferenceChangesLimit, preferencesRoutes } from './preferences/routes.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'
import { createChangeTemplates } from './template/change-templates.ts'
import { templateProjection } from './template/projection.ts'
import { templateRoutes } from './template/routes.ts'
import { defaultTimings, type NotificationTimings } from './timings.ts'
import type { Email } from './unseen-mail/build-unseen-mail.ts'
import { unsubscribeRoute } from './unseen-mail/unsubscribe-route.ts'
import type { UnsubscribeTokens } from './unseen-mail/unsubscribe-token.ts'

type NotificationsDeps = ServiceDeps & {
  readonly seenCounter: SeenCounter
  readonly timings?: NotificationTimings
  /** The public key with which browsers subscribe to Web Push. */
  readonly pushKey: string
  /** With it, browsers register at FCM instead. */
  readonly pushClient?: PushClientConfig | undefined
  /** Set in the one process of a portal that delivers. */
  readonly delivery?: {
    readonly push: PushSender
    readonly email?: Email | undefined
    readonly seenSource?: SeenSource
  }
  readonly hasMailServer: HasMailServer
  /** Tokens of links in e-mails. */
  readonly unsubscribeTokens: UnsubscribeTokens
  /** Asks the process that delivers. Required if this one does not. */
  readonly testPush?: TestPush
}

export type NotificationsService = Service & {
  readonly inbox: InboxReader
  readonly progress: CampaignProgressReader
  readonly people: PeopleIndex
  readonly selectAudience: SelectAudience
  readonly findContacts: FindContacts
  /** A visible tab of the user has shown everything up to `seq` in `epoch`. No effect if another process delivers. */
  seen(userId: UserId, seq: number, epoch: string): void
}

export const buildNotifications = (deps: NotificationsDeps): NotificationsService => {
  const { eventStore, readModels, vault, clockAndIds, limiters, bind, seenCounter } = deps
  const timings = deps.timings ?? defaultTimings
  const logger = deps.logger.child({ service: 'notifications' })

  // Inboxes, campaigns and their progress.
  const readModel = readModels.of(inboxProjection)
  const contentCache = createContentCache(readModel, { fromLog: readTextFromLog(eventStore), logger })
  const audienceReadModel = readModels.of(audienceProjection)
  const values = createRecipientValues({ audience: audienceReadModel, vault, logger })
  const inbox = createInboxReader(readModel, { contentCache, fillTexts: createFillTexts({ values, logger }) })
  const progress = createCampaignProgress(readModel)
  const markRead = createMarkRead({ eventStore, readModel, inbox, now: clockAndIds.now })
  const activity = createActivityReader({ readModel, now: clockAndIds.now, cacheMs: timings.activityCacheMs })
  const { seenTimeoutMs, maxRecipientsPerAppend } = timings

  // Users and the rules that select them.
  const audience = buildAudience({ readModels, vault, contentCache, logger })
  const { people, selectAudience } = audience
  const recipients = createKnownRecipients(readModels.of(recipientProjection))
  const sendDeps = {
    eventStore,
    readModel,
    recipients,
    selectAudience,
    vault,
    clockAndIds,
    seenCounter,
    seenTimeoutMs,
    maxRecipientsPerAppend,
    logger,
  }
  const send = createSendCampaign(sendDeps)
  const heldSends = {
    readModel,
    hold: createHoldCampaign({ ...sendDeps, holdMs: timings.holdMs }),
    held: createHeldReader(readModel, clockAndIds.now),
    sendHeld: createSendHeld(sendDeps),
    takeBack: createTakeBack(eventStore),
  }

  const scheduledSends = {
    scheduled: createPresentScheduled({ eventStore, readModel, people, now: clockAndIds.now }),
    change: createChangeScheduled(sendDeps),
    discard: createDiscardScheduled(sendDeps),
    sendScheduled: createSendScheduled(sendDeps),
    answerSender: createAnswerSender(sendDeps),
  }

  const handleDevice = createHandleDevice({ eventStore, clockAndIds })
  const deviceReadModel = readModels.of(deviceProjection)
  const sessions = readModels.of(sessionsProjectionRef)
  const devices = createDevices({ handle: handleDevice, readModel: deviceReadModel, sessions, vault })
  const states = createCampaignStates(eventStore)
  const { cancelTimeoutMs: timeoutMs, recallTimeoutMs } = timings
  const cancel = createCancelCampaign({ eventStore, readModel, progress, states, clockAndIds, timeoutMs })
  const recall = createRecallCampaign({
    eventStore,
    readModel,
    progress,
    states,
    clockAndIds,
    timeoutMs: recallTimeoutMs,
  })
  const resendable = createResendableRecipients({ readModel, devices, recipients })
  const resend = createResendCampaign({
    eventStore,
    readModel,
    resendable,
    states,
    clockAndIds,
    maxRecipientsPerAppend,
  })

  const ownDevices = createOwnDevices({ handle: handleDevice, readModel: deviceReadModel, sessions })
  const enrollmentsOf = createPersonEnrollments({ readModel: audienceReadModel, people })
  const consoleRoutes = buildConsoleRoutes({
    ...deps,
    readModel,
    contentCache,
    inbox,
    progress,
    people,
    states,
    resendable,
    enrollmentsOf,
    devicesOf: ownDevices.ofUser,
  })

  const registerToken = createRegisterToken({
    handle: handleDevice,
    readModel: deviceReadModel,
    vault,
    newTokensPerUser: limiters.of('newPushTokensPerUser', newTokensLimit),
    isEnded: makeIsEnded(sessions),
    now: clockAndIds.now,
    logger,
  })

  const preferencesReadModel = readModels.of(preferencesProjection)
  const handlePreferences = createHandlePreferences({ eventStore, readModel: preferencesReadModel, clockAndIds })

  const preferences = createPreferencesReader(preferencesReadModel)
  const draftReadModel = readModels.of(draftProjection)
  const drafts = createDraftsReader({ readModel: draftReadModel, vault, now: clockAndIds.now })
  const changeDrafts = createChangeDrafts({
    eventStore,
    readModel: draftReadModel,
    reader: drafts,
    vault,
    clockAndIds,
  })
  const templateReadModel = readModels.of(templateProjection)
  const changeTemplates = createChangeTemplates({ eventStore, readModel: templateReadModel, clockAndIds })
  const readOwnData = createReadOwnData({
    audience: audienceReadModel,
    inboxes: readModel,
    people,
    enrollmentsOf,
    vault,
    inbox,
    ownDevices,
    preferences,
    drafts,
    now: clockAndIds.now,
    maxNotifications: timings.maxOwnNotifications,
  })

  const workers = deps.delivery && buildWorkers({ ...deps, ...deps.delivery, timings, selectAudience, logger })
  const testPush = workers?.testPush ?? deps.testPush ?? (async () => 'unavailable')

  return {
    name: 'notifications',
    routes: (app) => {
      const recorded = recordCalls(bind, deps.securityLog, recordedSends)
      campaignRoutes(app, { bind: recorded, send, schedule: createScheduleSend(sendDeps), limiters })
      heldSendRoutes(app, { bind, securityLog: deps.securityLog, ...heldSends })
      scheduledSendRoutes(app, { bind, securityLog: deps.securityLog, ...scheduledSends })
      actionRoutes(app, { bind, securityLog: deps.securityLog, cancel, recall, resend })
      consoleRoutes(app, bind)
      inboxRoutes(app, { bind, inbox, markRead, recordClick: createRecordClick(eventStore, inbox) })
      activityRoutes(app, bind, activity)
      audience.routes(app, bind, deps.securityLog)
      deviceRoutes(app, {
        bind,
        registerToken,
        ownDevices,
        testPush,
        newId: clockAndIds.newId,
        pushTestsPerUser: limiters.of('pushTestsPerUser', pushTestsLimit),
        testSendsPerAdmin: limiters.of('testSendsPerAdmin', testSendsLimit),
        pushKey: deps.pushKey,
        pushClient: deps.pushClient,
      })
      preferencesRoutes(app, {
        bind,
        handlePreferences,
        preferences,
        changesPerUser: limiters.of('preferenceChangesPerUser', preferenceChangesLimit),
        hasMailServer: deps.hasMailServer,
      })
      draftRoutes(app, {
        bind,
        drafts,
        changeDrafts,
        changesPerUser: limiters.of('draftChangesPerUser', draftChangesLimit),
      })
      templateRoutes(app, { bind, readModel: templateReadModel, people, change: changeTemplates, clockAndIds })
      ownDataRoutes(app, {
        bind,
        securityLog: deps.securityLog,
        readOwnData,
        downloadsPerUser: limiters.of('ownDataDownloadsPerUser', ownDataLimit),
      })
      unsubscribeRoute(app, { bind, unsubscribeTokens: deps.unsubscribeTokens, handlePreferences })
    },
    publishers: notificationsPublishers,
    projections: notificationsProjections,
    start: async () => {
      audience.start()
      await workers?.start()
    },
    stop: async () => {
      await Promise.all([audience.stop(), workers?.stop()])
    },
    inbox,
    progress,
    people,
    selectAudience,
    findContacts: audience.findContacts,
    seen: (userId, seq, epoch) => workers?.seen(userId, seq, epoch),
  }
}
