import type { NotificationText } from '@portal/contracts/notifications/events'
import { fillPlaceholders, placeholdersIn } from '@portal/contracts/notifications/placeholders'
import type { UserId } from '@portal/contracts/shared/ids'
import { resultWithin } from '@portal/platform/async/timeout'
import type { Logger } from 'pino'
import { noValues, type RecipientValues, type RecipientValuesReader } from './recipient-values.ts'

type Text = Pick<NotificationText, 'title' | 'message' | 'hasPlaceholders' | 'programIds'>

type Filled<Some> = {
  /** In the given order. */
  readonly texts: readonly Some[]
  /** False if the values are unavailable at the moment. Then the texts have their fallbacks. */
  readonly isComplete: boolean
  /** Of the values that were filled in; undefined if no text has placeholders. */
  readonly version: string | undefined
}

/** Fills in the placeholders of texts for their reader. Nothing of it is stored. */
export type FillTexts = {
  fill<Some extends Text & Pick<NotificationText, 'notificationId'>>(
    userId: UserId,
    texts: readonly Some[],
  ): Promise<Filled<Some>>
  /** The version of the values that `fill` would fill in now. */
  version(userId: UserId): Promise<string>
}

/** Shown as the title if nothing else is left of it. */
const emptyTitle = 'Notification'

/** The text as its recipient reads it. */
export const filledFor = <Some extends Text>(text: Some, { name, code, programs }: RecipientValues): Some => {
  const { title, message, hasPlaceholders, programIds } = text
  if (!hasPlaceholders) return text
  const isMeant = ({ programId }: RecipientValues['programs'][number]) =>
    programIds === undefined || programIds.includes(programId)
  const values = { name, code, program: programs.find(isMeant)?.programName }
  return {
    ...text,
    title: fillPlaceholders(title, values).trim() || emptyTitle,
    message: fillPlaceholders(message, values),
  }
}

const hasPlaceholders = (texts: readonly Text[]): boolean => texts.some((text) => text.hasPlaceholders)

/** A page must not wait for a vault that does not answer. */
const timeoutMs = 1_000

type FillTextsDeps = { readonly values: RecipientValuesReader; readonly logger: Pick<Logger, 'warn'> }

export const createFillTexts = ({ values, logger }: FillTextsDeps) => {
  const valuesOf = async (userId: UserId) => {
    try {
      const found = await resultWithin(values.of([userId]), timeoutMs)
      return found?.get(userId)
    } catch (err) {
      logger.warn({ err, userId }, 'values of placeholders could not be read, showing their fallbacks')
      return undefined
    }
  }
  const fillTexts: FillTexts = {
    version: values.version,
    fill: async (userId, texts) => {
      if (!hasPlaceholders(texts)) return { texts, isComplete: true, version: undefined }
      const own = await valuesOf(userId)
      const filled = texts.map((text) => filledFor(text, own?.values ?? noValues))
      return { texts: filled, isComplete: own !== undefined, version: own?.version ?? '' }
    },
  }
  return {
    ...fillTexts,
    /** Fills in a text that is recorded nowhere, such as a test. */
    fillUnrecorded: async <Some extends Pick<Text, 'title' | 'message'>>(userId: UserId, text: Some): Promise<Some> => {
      if (placeholdersIn(text.title, text.message).size === 0) return text
      const own = await valuesOf(userId)
      return filledFor({ ...text, hasPlaceholders: true }, own?.values ?? noValues)
    },
  }
}

/**
 * Builds something of texts as each recipient reads them: one for all recipients if no text has placeholders. Rejects if
 * the values are unavailable.
 */
export const buildForEach = async <Built>(
  values: Pick<RecipientValuesReader, 'of'>,
  { texts, userIds }: { readonly texts: readonly NotificationText[]; readonly userIds: readonly UserId[] },
  build: (fill: (text: NotificationText) => NotificationText) => Built,
): Promise<(userId: UserId) => Built> => {
  if (!hasPlaceholders(texts)) {
    const same = build((text) => text)
    return () => same
  }
  const found = await values.of(userIds)
  const built = new Map<UserId, Built>()
  return (userId) => {
    const own = built.get(userId) ?? build((text) => filledFor(text, found.get(userId)?.values ?? noValues))
    built.set(userId, own)
    return own
  }
}
