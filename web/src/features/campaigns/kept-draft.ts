import { audienceSchema } from '@portal/contracts/notifications/audience'
import { notificationIdSchema, userIdSchema, type NotificationId, type UserId } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from '../../lib/drafts.ts'
import { emptyRule, type ContactList, type Rule } from './audience/rule.ts'
import { draftTextSchema, hasContent, identityOf, isLastRequest, textSchema, type Draft } from './draft.ts'

const contactListSchema = z.object({ source: z.string(), contacts: z.array(z.string()) })

const { programIds, paymentStatuses, universityNames, roles } = audienceSchema.required().shape
const ruleSchema = z.object({
  everyone: z.boolean(),
  programIds,
  paymentStatuses,
  universityNames,
  roles,
  unreadOf: z.object({ id: notificationIdSchema, title: z.string() }).optional(),
  include: z.array(userIdSchema),
  exclude: z.array(userIdSchema),
})

const keptSchema = z.object({
  text: draftTextSchema,
  rule: ruleSchema,
  hasContacts: z.boolean(),
  request: z.object({ key: z.string(), expectedCount: z.number(), heldAs: notificationIdSchema.optional() }).optional(),
})

export const sendDraftKey = (owner: UserId) => draftKey(owner, 'send')
/** Addresses of other people. */
const contactsKey = (owner: UserId) => draftKey(owner, 'send-contacts', { isPersonal: true })

/** A request that the draft has changed since is not kept: the changed draft takes another key. */
const keptRequest = (draft: Draft) => {
  if (!draft.lastRequest || !isLastRequest(draft)) return undefined
  const { body: _, ...request } = draft.lastRequest
  return request
}

/** Keeps the unsent notification of an admin on this device. */
export const keepSendDraft = (owner: UserId, draft: Draft): void => {
  const { contactList, include, exclude, ...rule } = draft.rule
  if (!hasContent(draft)) {
    discardSendDraft(owner)
    return
  }
  const kept = { text: draft.text, rule: { ...rule, include: [...include], exclude: [...exclude] } }
  writeDraft(sendDraftKey(owner), { ...kept, hasContacts: contactList !== undefined, request: keptRequest(draft) })
  if (contactList) writeDraft(contactsKey(owner), contactList)
  else removeDraft(contactsKey(owner))
}

const ruleOf = (
  { include, exclude, unreadOf, ...kinds }: z.output<typeof ruleSchema>,
  contactList: ContactList | undefined,
): Rule => ({ ...kinds, contactList, unreadOf, include: new Set(include), exclude: new Set(exclude) })

export const keptSendDraft = (owner: UserId): Draft | undefined => {
  const kept = readDraft(sendDraftKey(owner), keptSchema)
  if (!kept) return undefined
  const contactList = readDraft(contactsKey(owner), contactListSchema)
  // Without its list the rest of the rule would select other people.
  const isWhole = !kept.hasContacts || contactList !== undefined
  const rule = isWhole ? ruleOf(kept.rule, contactList) : emptyRule
  const text = textSchema.safeParse(kept.text)
  // A request that cannot be restored is like none, but for the send as which it was confirmed.
  const body = text.success && isWhole ? JSON.stringify(identityOf(text.data, rule)) : ''
  const lastRequest = kept.request && { ...kept.request, body }
  return { text: kept.text, rule, lastRequest }
}

const keptTextSchema = z.object({ value: keptSchema.pick({ text: true, rule: true }) })

/** Compares two kept drafts by what their form shows. */
export const keptText = (stored: string | null): string | undefined => {
  if (stored === null) return undefined
  const { data } = keptTextSchema.safeParse(JSON.parse(stored))
  return data && JSON.stringify(data.value)
}

export const discardSendDraft = (owner: UserId): void => {
  removeDraft(sendDraftKey(owner))
  removeDraft(contactsKey(owner))
}

/** Which send the kept draft was confirmed as. */
export const keptHeldAs = (owner: UserId): NotificationId | undefined => keptSendDraft(owner)?.lastRequest?.heldAs

/** Discards the draft of a send that has gone out, also if its form is not open. */
export const discardSentDraft = (owner: UserId, notificationId: NotificationId): void => {
  if (keptHeldAs(owner) === notificationId) discardSendDraft(owner)
}
