import { join } from 'node:path'
import type { Logger } from 'pino'
import type { HealthPart } from '../observability/health.ts'
import type { Config } from '../settings/config.ts'
import { fcmPush } from './fcm/fcm-push.ts'
import { readServiceAccount } from './fcm/service-account.ts'
import { createDevMailbox } from './dev-mailbox.ts'
import type { MailSender, PushSender, SmsSender } from './port.ts'
import { smsWebhook } from './sms-webhook.ts'
import { smtpMail } from './smtp-mail.ts'
import { watchMail } from './watch-mail.ts'

export type Outbound = {
  /** Of the providers that can be watched. */
  readonly healthParts: readonly HealthPart[]
  readonly mail: MailSender
  readonly sms: SmsSender
  readonly push: PushSender
  close(): Promise<void>
}

/** The file of the development mailbox, which the page /dev/outbox shows. */
export const devMailboxFileIn = (dataDir: string): string => join(dataDir, 'outbox.jsonl')

/**
 * Opens the configured provider of each channel, and the development mailbox for the others. Throws a ConfigError if the push
 * provider's credentials cannot be used.
 */
export const openOutbound = (
  config: Pick<Config, 'dataDir' | 'outbound'>,
  { now, logger }: { readonly now: () => Date; readonly logger: Logger },
): Outbound => {
  const { smtpUrl, mailFrom, smsUrl, fcmServiceAccountFile } = config.outbound
  const mailbox = createDevMailbox({ file: devMailboxFileIn(config.dataDir), now })
  const server = smtpUrl === undefined ? undefined : watchMail(smtpMail({ url: smtpUrl, from: mailFrom }), { logger })
  const mail = server ?? mailbox.mail
  const sms = smsUrl === undefined ? mailbox.sms : smsWebhook({ url: smsUrl })
  const push =
    fcmServiceAccountFile === undefined
      ? mailbox.push
      : fcmPush({ serviceAccount: readServiceAccount(fcmServiceAccountFile), now })
  return {
    healthParts: server === undefined ? [] : [server.health],
    mail,
    sms,
    push,
    close: async () => {
      await Promise.all([mail.close(), sms.close(), push.close()])
    },
  }
}
