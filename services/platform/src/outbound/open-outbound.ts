import { join } from 'node:path'
import type { Logger } from 'pino'
import type { HealthPart } from '../observability/health.ts'
import type { Config } from '../settings/config.ts'
import { fcmPush } from './fcm/fcm-push.ts'
import { readServiceAccount } from './fcm/service-account.ts'
import { createDevMailbox } from './dev-mailbox.ts'
import type { MailSender, PushSender, SmsSender } from './port.ts'
import { pushByToken } from './push-by-token.ts'
import { smsWebhook } from './sms-webhook.ts'
import { smtpMail } from './smtp-mail.ts'
import { watchMail } from './watch-mail.ts'
import type { PushKeys } from './web-push/push-keys.ts'
import { webPush } from './web-push/web-push.ts'

export type Outbound = {
  /** Of the providers that can be watched. */
  readonly healthParts: readonly HealthPart[]
  readonly mail: MailSender
  readonly sms: SmsSender
  readonly push: PushSender
  /** Removes all messages about a person from the development mailbox. Providers keep what they have taken. */
  forget(userId: string): Promise<void>
  close(): Promise<void>
}

/** The file of the development mailbox, which the page /dev/outbox shows. */
export const devMailboxFileIn = (dataDir: string): string => join(dataDir, 'outbox.jsonl')

type OutboundDeps = {
  readonly now: () => Date
  readonly logger: Logger
  /** Of a process that pushes. */
  readonly pushKeys?: PushKeys
}

/**
 * Opens the configured provider of each channel, and the development mailbox for the others. Throws a ConfigError if the push
 * provider's credentials cannot be used.
 */
export const openOutbound = (
  config: Pick<Config, 'dataDir' | 'outbound'>,
  { now, logger, pushKeys }: OutboundDeps,
): Outbound => {
  const { smtpUrl, mailFrom, smsUrl, fcmServiceAccountFile, webPush: webPushConfig } = config.outbound
  const mailbox = createDevMailbox({ file: devMailboxFileIn(config.dataDir), now })
  const server = smtpUrl === undefined ? undefined : watchMail(smtpMail({ url: smtpUrl, from: mailFrom }), { logger })
  const mail = server ?? mailbox.mail
  const sms = smsUrl === undefined ? mailbox.sms : smsWebhook({ url: smsUrl })
  const issued =
    fcmServiceAccountFile === undefined
      ? mailbox.push
      : fcmPush({ serviceAccount: readServiceAccount(fcmServiceAccountFile), now })
  const browsers = pushKeys && webPush({ ...webPushConfig, keys: pushKeys, now, logger })
  const push = browsers === undefined ? issued : pushByToken({ webPush: browsers, others: issued })
  return {
    healthParts: [server, browsers].flatMap((watched) => watched?.health ?? []),
    mail,
    sms,
    push,
    forget: mailbox.forget,
    close: async () => {
      await Promise.all([mail.close(), sms.close(), push.close()])
    },
  }
}
