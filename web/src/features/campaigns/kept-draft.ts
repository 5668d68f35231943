import { audienceSchema } from '@portal/contracts/notifications/audience'
import {
  notificationIdSchema,
  userIdSchema,
  type DraftId,
  type NotificationId,
  type UserId,
} from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { z } from 'zod'
import { draftKey, draftsOf, readDraft, removeDraft, writeDraft } from '../../lib/drafts.ts'
import { fingerprintOf } from '../../lib/idempotency-key.ts'
import { randomKey } from '../../lib/random-hex.ts'
import { discardLinked, readLink } from '../../lib/saved-draft/draft-link.ts'
import type { KeptContent } from '../../lib/saved-draft/draft-saver.ts'
import { withStorage } from '../../lib/storage.ts'
import { emptyRule, type ContactList, type Rule } from './audience/rule.ts'
import { draftTextSchema, hasContent, identityOf, isLastRequest, textSchema, type Draft } from './draft.ts'

const contactListSchema = z.object({ source: z.string(), contacts: z.array(z.string()) })

const { programIds, paymentStatuses, semesters, installmentsDue, universityNames, roles } =
  audienceSchema.required().shape
const ruleSchema = z.object({
  everyone: z.boolean(),
  programIds,
  paymentStatuses,
  // Missing in drafts of earlier releases.
  semesters: semesters.default([]),
  installmentsDue: installmentsDue.default([]),
  universityNames,
  roles,
  unreadOf: z.object({ id: notificationIdSchema, title: z.string() }).optional(),
  include: z.array(userIdSchema),
  exclude: z.array(userIdSchema),
})

const emptyKeptRule: z.output<typeof ruleSchema> = {
  everyone: false,
  programIds: [],
  paymentStatuses: [],
  semesters: [],
  installmentsDue: [],
  universityNames: [],
  roles: [],
  include: [],
  exclude: [],
}

const keptSchema = z.object({
  text: draftTextSchema,
  rule: ruleSchema,
  hasContacts: z.boolean(),
  request: z
    .object({
      key: z.string(),
      /** Missing in drafts of earlier releases. */
      fingerprint: z.string().optional(),
      expectedCount: z.number(),
      heldAs: notificationIdSchema.optional(),
    })
    .optional(),
})

const form = 'send'

/** `name`: of the draft of one tab, if several tabs write different ones. */
export const sendDraftKey = (owner: UserId, name = form) => draftKey(owner, name)
/** Addresses of other people. */
const contactsKey = (owner: UserId, name: string) =>
  draftKey(owner, name.replace(form, 'send-contacts'), { isPersonal: true })

/** Which of the drafts a tab shows, over a reload. */
const tabsDraftKey = 'tabs_draft'
const readTabsDraft = (): string | null => withStorage(() => sessionStorage.getItem(tabsDraftKey), null)
export const writeTabsDraft = (name: string): void =>
  withStorage(() => sessionStorage.setItem(tabsDraftKey, name), undefined)

/** The name of the draft that a form shows: the one of this tab, or the last one that was written. */
export const sendDraftOfTab = (owner: UserId): string => {
  const names = draftsOf(owner, form)
  const own = readTabsDraft()
  return names.find((name) => name === own) ?? names[0] ?? form
}

export const anotherSendDraft = (): string => `${form}#${randomKey().slice(0, 8)}`

/** A request that the draft has changed since is not kept: the changed draft takes another key. */
const keptRequest = (draft: Draft) => (isLastRequest(draft) ? draft.lastRequest : undefined)

/** Keeps the unsent notification of an admin on this device. */
export const keepSendDraft = (owner: UserId, draft: Draft, name = form): void => {
  const { contactList, include, exclude, ...rule } = draft.rule
  if (!hasContent(draft)) {
    discardSendDraft(owner, name)
    return
  }
  const kept = { text: draft.text, rule: { ...rule, include: [...include], exclude: [...exclude] } }
  writeDraft(sendDraftKey(owner, name), {
    ...kept,
    hasContacts: contactList !== undefined,
    request: keptRequest(draft),
  })
  if (contactList) writeDraft(contactsKey(owner, name), contactList)
  else removeDraft(contactsKey(owner, name))
}

const ruleOf = (
  { include, exclude, unreadOf, ...kinds }: z.output<typeof ruleSchema>,
  contactList: ContactList | undefined,
): Rule => ({ ...kinds, contactList, unreadOf, include: new Set(include), exclude: new Set(exclude) })

export const keptSendDraft = (owner: UserId, name = form): Draft | undefined => {
  const kept = readDraft(sendDraftKey(owner, name), keptSchema)
  if (!kept) return undefined
  const contactList = readDraft(contactsKey(owner, name), contactListSchema)
  // Without its list the rest of the rule would select other people.
  const isWhole = !kept.hasContacts || contactList !== undefined
  const rule = isWhole ? ruleOf(kept.rule, contactList) : emptyRule
  const text = textSchema.safeParse(kept.text)
  const unchanged = text.success && isWhole ? fingerprintOf(identityOf(text.data, rule)) : ''
  // Kept even if the list is gone: choosing the same list again repeats the request.
  const lastRequest = kept.request && { ...kept.request, fingerprint: kept.request.fingerprint ?? unchanged }
  return { text: kept.text, rule, lastRequest }
}

const keptTextSchema = z.object({ value: keptSchema.pick({ text: true, rule: true }) })

/** Compares two kept drafts by what their form shows. */
export const keptText = (stored: string | null): string | undefined => {
  if (stored === null) return undefined
  const { data } = keptTextSchema.safeParse(JSON.parse(stored))
  return data && JSON.stringify(data.value)
}

const removeSendDraft = (owner: UserId, name: string): void => {
  removeDraft(sendDraftKey(owner, name))
  removeDraft(contactsKey(owner, name))
}

/** Also on the server. One that was not sent stays there if another device has changed it. */
export const discardSendDraft = (owner: UserId, name: string, how?: { readonly isSent: boolean }): void => {
  removeSendDraft(owner, name)
  discardLinked(owner, name, how)
}

/** What the server keeps: the draft with its list of contacts, but without too many recipients. */
const savedSchema = keptSchema.extend({
  contacts: contactListSchema.optional(),
  isWithoutRecipients: z.literal(true).optional(),
})

/** What this device keeps of a draft, as the server keeps it. */
export const sendDraftContent = (owner: UserId, name: string): KeptContent | undefined => {
  const kept = readDraft(sendDraftKey(owner, name), keptSchema)
  if (!kept) return undefined
  const contacts = readDraft(contactsKey(owner, name), contactListSchema)
  const { title } = kept.text
  const content = JSON.stringify({ ...kept, contacts })
  if (content.length <= limits.draftChars)
    return { title, content, isWhole: !kept.hasContacts || contacts !== undefined }
  const short = { text: kept.text, rule: emptyKeptRule, hasContacts: false, isWithoutRecipients: true }
  return { title, content: JSON.stringify(short), isWhole: true }
}

/** Keeps on this device what the server has. Undefined if a newer client wrote it. */
export const keepSaved = (owner: UserId, name: string, content: string | undefined) => {
  if (content === undefined) {
    removeSendDraft(owner, name)
    return { isWithoutRecipients: false }
  }
  const { data } = savedSchema.safeParse(JSON.parse(content))
  if (!data) return undefined
  const { contacts, isWithoutRecipients = false, ...kept } = data
  writeDraft(sendDraftKey(owner, name), kept)
  if (contacts) writeDraft(contactsKey(owner, name), contacts)
  else removeDraft(contactsKey(owner, name))
  return { isWithoutRecipients }
}

/** The name under which this device keeps a draft of the server. */
export const sendDraftLinkedTo = (owner: UserId, id: DraftId): string | undefined =>
  draftsOf(owner, form).find((name) => readLink(owner, name)?.id === id)

const heldAsOf = (owner: UserId, name: string) => keptSendDraft(owner, name)?.lastRequest?.heldAs

/** The sends as which kept drafts were confirmed. */
export const keptHeldAs = (owner: UserId): readonly NotificationId[] =>
  draftsOf(owner, form).flatMap((name) => heldAsOf(owner, name) ?? [])

/** Discards the draft of a send that has gone out, also if its form is not open. */
export const discardSentDraft = (owner: UserId, notificationId: NotificationId): void => {
  for (const name of draftsOf(owner, form))
    if (heldAsOf(owner, name) === notificationId) discardSendDraft(owner, name, { isSent: true })
}
