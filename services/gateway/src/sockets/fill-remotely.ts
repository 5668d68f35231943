import { getNotification } from '@portal/contracts/notifications/http'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { buildUrl } from '@portal/contracts/shared/route'
import { unattendedHeader } from '@portal/contracts/shared/unattended'
import { createSemaphore } from '@portal/platform/async/semaphore'
import type { Logger } from 'pino'

type Text = {
  readonly notificationId: NotificationId
  readonly title: string
  readonly message: string
  readonly hasPlaceholders?: true | undefined
  readonly translation?: object | undefined
}

/** With more such texts at once, clients read their pages instead. */
const maxTexts = 10
const concurrency = 64
const timeoutMs = 2_000

type FillRemotelyDeps = {
  readonly notificationsUrl: string
  /** The session token of one of the user's sockets; undefined without one. */
  tokenOf(userId: UserId): string | undefined
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Fills in the placeholders of texts for connected users, in their language. This process has no keys of personal data, so
 * it reads each text as its recipient would, with the session of one of their sockets. Nothing of it is kept.
 */
export const createFillRemotely = ({ notificationsUrl, tokenOf, logger }: FillRemotelyDeps) => {
  const withPermit = createSemaphore(concurrency)

  const readAs = async (token: string, id: NotificationId) => {
    const response = await fetch(new URL(buildUrl(getNotification, { params: { id } }), notificationsUrl), {
      headers: { authorization: `Bearer ${token}`, [unattendedHeader]: '1' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`notifications answered ${response.status}`)
    }
    return getNotification.response.parse(await response.json()).notification
  }

  return {
    /** Not complete if a text cannot be read at the moment: then clients read their pages. */
    fill: async <Some extends Text>(userId: UserId, texts: readonly Some[]) => {
      const toFill = texts.filter(({ hasPlaceholders, translation }) => hasPlaceholders || translation)
      if (toFill.length === 0) return { texts, isComplete: true, version: undefined }
      const unfilled = { texts, isComplete: false, version: undefined }
      const token = tokenOf(userId)
      if (token === undefined || toFill.length > maxTexts) return unfilled
      try {
        const items = await Promise.all(
          toFill.map(({ notificationId }) => withPermit(() => readAs(token, notificationId))),
        )
        const filled = new Map(
          items.map(({ _id, title, message, lang }) => [_id, { title, message, ...(lang && { lang }) }]),
        )
        return {
          texts: texts.map((text) => ({ ...text, ...filled.get(text.notificationId) })),
          isComplete: true,
          version: undefined,
        }
      } catch (err) {
        logger.warn({ err, userId }, 'texts with placeholders could not be read, clients read their pages')
        return unfilled
      }
    },
    /** Pages are read elsewhere. */
    version: async (): Promise<string> => '',
  }
}
