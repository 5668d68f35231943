import type { NotificationText } from '@portal/contracts/notifications/events'
import { fillPlaceholders, placeholdersIn } from '@portal/contracts/notifications/placeholders'
import type { UserId } from '@portal/contracts/shared/ids'
import { resultWithin } from '@portal/platform/async/timeout'
import type { Logger } from 'pino'
import { noValues, type RecipientValues, type RecipientValuesReader } from './recipient-values.ts'

type Text = Pick<NotificationText, 'title' | 'message' | 'hasPlaceholders' | 'programIds' | 'translation'>

/** A text as its recipient reads it. */
export type Filled<Some> = Some & {
  /** The language of title and message if they are the translation; BCP 47. */
  readonly lang?: string
}

type FilledTexts<Some> = {
  /** In the given order. */
  readonly texts: readonly Filled<Some>[]
  /** False if the values are unavailable at the moment. Then the texts have their fallbacks, and are not translated. */
  readonly isComplete: boolean
  /** Of the values that were used; undefined if all readers read the same. */
  readonly version: string | undefined
}

/** Fills in the placeholders of texts for their reader, in the reader's language. Nothing of it is stored. */
export type FillTexts = {
  fill<Some extends Text & Pick<NotificationText, 'notificationId'>>(
    userId: UserId,
    texts: readonly Some[],
  ): Promise<FilledTexts<Some>>
  /** The version of the values that `fill` would fill in now. */
  version(userId: UserId): Promise<string>
}

/** Shown as the title if nothing else is left of it. */
const emptyTitle = 'Notification'

const inLanguage = <Some extends Text>(text: Some, language: string | undefined): Filled<Some> => {
  const { translation } = text
  if (translation === undefined || translation.lang !== language) return text
  return { ...text, ...translation }
}

/** The text as its recipient reads it. */
export const filledFor = <Some extends Text>(original: Some, values: RecipientValues): Filled<Some> => {
  const text = inLanguage(original, values.language)
  const { title, message, hasPlaceholders, programIds } = text
  if (!hasPlaceholders) return text
  const { name, code, programs } = values
  const isMeant = ({ programId }: RecipientValues['programs'][number]) =>
    programIds === undefined || programIds.includes(programId)
  const own = { name, code, program: programs.find(isMeant)?.programName }
  return {
    ...text,
    title: fillPlaceholders(title, own).trim() || emptyTitle,
    message: fillPlaceholders(message, own),
  }
}

/** Whether readers read different texts. */
export const dependsOnReader = ({ hasPlaceholders, translation }: Text): boolean =>
  hasPlaceholders === true || translation !== undefined

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
      if (!texts.some(dependsOnReader)) return { texts, isComplete: true, version: undefined }
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
 * Builds something of texts as each recipient reads them, once for those who read the same. Rejects if the values are
 * unavailable.
 */
export const buildForEach = async <Built>(
  values: Pick<RecipientValuesReader, 'of'>,
  { texts, userIds }: { readonly texts: readonly NotificationText[]; readonly userIds: readonly UserId[] },
  build: (fill: (text: NotificationText) => Filled<NotificationText>) => Built,
): Promise<(userId: UserId) => Built> => {
  if (!texts.some(dependsOnReader)) {
    const same = build((text) => text)
    return () => same
  }
  const found = await values.of(userIds)
  const isPersonal = texts.some(({ hasPlaceholders }) => hasPlaceholders)
  const languages = new Set(texts.flatMap(({ translation }) => translation?.lang ?? []))
  const built = new Map<string, Built>()
  return (userId) => {
    const own = found.get(userId)?.values ?? noValues
    const language = own.language !== undefined && languages.has(own.language) ? own.language : ''
    const key = isPersonal ? userId : language
    const known = built.get(key) ?? build((text) => filledFor(text, own))
    built.set(key, known)
    return known
  }
}
