import { type NotificationType, notificationTypes } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import type { MailSender } from '@portal/platform/outbound/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, Maintenance, ReadStore } from '@portal/platform/read-model/port'
import type { Config } from '@portal/platform/settings/config'
import { linkOriginOf } from '@portal/platform/settings/link-origin'
import type { Logger } from 'pino'
import { pendingDeliveriesProjection } from '../delivery/pending-deliveries.ts'
import type { Moment } from '../delivery/send-times.ts'
import type { Devices } from '../device/devices.ts'
import { createContentCache, readTextFromLog } from '../inbox/content-cache.ts'
import { createInboxReader } from '../inbox/inbox-reader.ts'
import { inboxProjection } from '../inbox/projection.ts'
import type { FillTexts } from '../placeholders/fill-texts.ts'
import { preferencesDecider } from '../preferences/decider.ts'
import { createSendUnseenMail } from './send-unseen-mail.ts'
import { createUnseenCandidates } from './unseen-candidates.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'
import { createUnseenMailWorker, defaultUnseenMailPace, type UnseenMailPace } from './worker.ts'

/** Of a portal with a mail server. */
export type Email = {
  readonly mail: Pick<MailSender, 'send'>
  /** The portal's, for links. */
  readonly origin: string
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, 'of'>
}

/** Undefined without a mail server. */
export const emailOf = (
  { outbound, http }: Pick<Config, 'outbound' | 'http'>,
  parts: Omit<Email, 'origin'>,
): Email | undefined => (outbound.smtpUrl === undefined ? undefined : { ...parts, origin: linkOriginOf(http) })

type UnseenMailDeps = Email & {
  readonly eventStore: Pick<EventStore, 'read' | 'append' | 'check'>
  /** The inboxes. */
  readonly readModel: ActiveGeneration
  readonly pendingDeliveries: Pick<Checkpoints, 'position'> & Pick<Maintenance, 'check'>
  /** Whether the pending deliveries have caught up with the log. */
  readonly isCaughtUp: () => boolean
  readonly devices: Pick<Devices, 'holders'>
  /** The users with their encrypted profiles. */
  readonly audience: Pick<ReadStore, 'entries'>
  readonly fillTexts: FillTexts
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  /** EMAIL_UNSEEN_AFTER */
  readonly afterMs: number
  readonly now: () => Moment
  readonly pace?: UnseenMailPace
  readonly logger: Logger
}

/** Builds the e-mails about unread notifications. */
export const buildUnseenMail = (deps: UnseenMailDeps) => {
  const { eventStore, readModel, pendingDeliveries, isCaughtUp, origin, unsubscribeTokens, logger } = deps
  const contentCache = createContentCache(readModel, { fromLog: readTextFromLog(eventStore), logger })
  const inbox = createInboxReader(readModel, { contentCache, fillTexts: deps.fillTexts })

  /** The pending deliveries list everything up to the end of the log, reads included. The inbox must not lag behind them. */
  const isCurrent = async (userId: UserId): Promise<boolean> => {
    const partition = bucketKey(userId)
    await Promise.all([pendingDeliveries.check(), readModel.check()])
    const messagePosition = await pendingDeliveries.position(pendingDeliveriesProjection.name, partition)
    const isApplied =
      messagePosition === undefined ||
      (await waitForProjection(readModel, { projection: inboxProjection, partition, messagePosition, timeoutMs: 0 }))
    return isApplied && isCaughtUp()
  }

  /** From the log: who has unsubscribed gets no e-mail, also while the preferences are rebuilt. */
  const wantedTypes = async (userId: UserId): Promise<readonly NotificationType[]> => {
    const { state } = await loadState(eventStore, preferencesDecider, userId)
    return notificationTypes.filter((type) => state.email[type])
  }

  const unsubscribeUrl = (userId: UserId): string =>
    `${origin}/notifications/unsubscribe?token=${unsubscribeTokens.of(userId)}`

  return createUnseenMailWorker({
    ...deps,
    findUnseen: createUnseenCandidates(deps),
    send: (signal) => createSendUnseenMail({ ...deps, inbox, isCurrent, wantedTypes, unsubscribeUrl, signal }),
    mayAct: isCaughtUp,
    pace: deps.pace ?? defaultUnseenMailPace,
  })
}
