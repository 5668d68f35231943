import type { Audience } from '@portal/contracts/notifications/audience'
import { campaignTextSchema, type sendNotificationBody } from '@portal/contracts/notifications/http'
import { notificationTypeSchema } from '@portal/contracts/notifications/notification'
import type { Translation } from '@portal/contracts/notifications/translation'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { secondLanguageSchema } from '@portal/contracts/shared/languages'
import { z } from 'zod'
import { isSameRequest, keyedRequest, type KeyedRequest } from '../../lib/idempotency-key.ts'
import { randomKey } from '../../lib/random-hex.ts'
import { audienceOf, emptyRule, hasConditions, isEmptyRule, type Rule } from './audience/rule.ts'

const sentTextSchema = campaignTextSchema
  .pick({ title: true, message: true, button: true, image: true, isUrgent: true })
  .extend({
    type: notificationTypeSchema,
    translation: campaignTextSchema.shape.translation
      .unwrap()
      .extend({ lang: z.string().pipe(secondLanguageSchema) })
      .optional(),
  })

/** The text fields of the form, as typed; the recipients are chosen beside them. Without both parts it has no button. */
export const draftTextSchema = z.object({
  title: z.string(),
  message: z.string(),
  type: notificationTypeSchema,
  button: z.object({ label: z.string(), url: z.string() }),
  /** The address of a picture, or empty. Missing in drafts of earlier releases, like `isUrgent`. */
  image: z.string().optional(),
  isUrgent: z.boolean().optional(),
  translation: z.object({ lang: z.string(), title: z.string(), message: z.string() }).optional(),
})
export type DraftText = z.output<typeof draftTextSchema>

export const noButton: DraftText['button'] = { label: '', url: '' }
export const hasButton = ({ label, url }: DraftText['button']): boolean => label.trim() !== '' || url.trim() !== ''

export const noTranslation: Translation = { lang: '', title: '', message: '' }
/** A language alone is none. */
export const hasTranslation = ({ title, message }: Translation = noTranslation): boolean =>
  title.trim() !== '' || message.trim() !== ''

/** From the fields to what is sent. */
export const textSchema = draftTextSchema
  .transform(({ button, image, isUrgent, translation, ...text }): z.input<typeof sentTextSchema> => ({
    ...text,
    ...(hasButton(button) && { button }),
    ...(image && { image }),
    ...(isUrgent && { isUrgent }),
    ...(hasTranslation(translation) && { translation }),
  }))
  .pipe(sentTextSchema)
/** A text that can be sent. */
export type SentText = z.output<typeof sentTextSchema>

/** A translation as it can be sent again. One into a language of a later release is left out. */
export const knownTranslation = (translation: Translation | undefined): SentText['translation'] =>
  sentTextSchema.shape.translation.safeParse(translation).data

/** The fields that show their errors. */
export const textFields = [
  'title',
  'message',
  'image',
  'button.label',
  'button.url',
  'translation.lang',
  'translation.title',
  'translation.message',
] as const

/** The last request of a draft. A retry repeats it under the same key. */
type LastRequest = KeyedRequest & {
  readonly expectedCount: number
  /** Once the server has confirmed it. It is sent when its time to be taken back is over. */
  readonly heldAs?: NotificationId | undefined
}

/** An unsent notification. It survives a visit to another page, a reload and the end of the session. */
export type Draft = {
  readonly text: DraftText
  readonly rule: Rule
  readonly lastRequest: LastRequest | undefined
}

export const newDraft: Draft = {
  text: {
    title: '',
    message: '',
    type: 'System Maintenance',
    button: noButton,
    image: '',
    isUrgent: false,
    translation: noTranslation,
  },
  rule: emptyRule,
  lastRequest: undefined,
}

export const hasText = ({ title, message, button, image, translation }: DraftText): boolean =>
  title !== '' || message !== '' || hasButton(button) || Boolean(image) || hasTranslation(translation)

/** Whether the draft contains anything. */
export const hasContent = ({ text, rule }: Draft): boolean => hasText(text) || !isEmptyRule(rule)

type Recipients = { readonly userIds: UserId[] } | { readonly audience: Audience }

const recipientsOf = (rule: Rule): Recipients =>
  hasConditions(rule) ? { audience: audienceOf(rule) } : { userIds: [...rule.include] }

/** What makes two requests the same. The expected count may change before a retry. */
export const identityOf = (text: SentText, rule: Rule, sendAt?: string) => ({
  ...text,
  ...recipientsOf(rule),
  ...(sendAt !== undefined && { sendAt }),
})

/** Whether the draft is unchanged since its last request. */
export const isLastRequest = ({ text, rule, lastRequest }: Draft): boolean => {
  const checked = textSchema.safeParse(text)
  return checked.success && isSameRequest(lastRequest, identityOf(checked.data, rule))
}

/** The request for a draft. An unchanged draft repeats its last request, so that it is not sent twice. */
export const requestFor = (
  text: SentText,
  { rule, lastRequest, sendAt }: Omit<Draft, 'text'> & { readonly sendAt?: string | undefined },
  count: number,
): { readonly body: z.input<typeof sendNotificationBody>; readonly request: LastRequest } => {
  const body = identityOf(text, rule, sendAt)
  const keyed = keyedRequest(lastRequest, body, randomKey)
  const expectedCount = keyed === lastRequest ? lastRequest.expectedCount : count
  return {
    body: 'audience' in body ? { ...body, expectedCount } : body,
    request: keyed === lastRequest ? lastRequest : { ...keyed, expectedCount },
  }
}
