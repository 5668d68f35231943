import { audienceSchema } from '@portal/contracts/notifications/audience'
import { notificationIdSchema, userIdSchema, type NotificationId, type UserId } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { draftKey, draftsOf, readDraft, removeDraft, writeDraft } from '../../lib/drafts.ts'
import { fingerprintOf } from '../../lib/idempotency-key.ts'
import { randomKey } from '../../lib/random-hex.ts'
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

const discardSendDraft = (owner: UserId, name: string): void => {
  removeDraft(sendDraftKey(owner, name))
  removeDraft(contactsKey(owner, name))
}

const heldAsOf = (owner: UserId, name: string) => keptSendDraft(owner, name)?.lastRequest?.heldAs

/** The sends as which kept drafts were confirmed. */
export const keptHeldAs = (owner: UserId): readonly NotificationId[] =>
  draftsOf(owner, form).flatMap((name) => heldAsOf(owner, name) ?? [])

/** Discards the draft of a send that has gone out, also if its form is not open. */
export const discardSentDraft = (owner: UserId, notificationId: NotificationId): void => {
  for (const name of draftsOf(owner, form)) if (heldAsOf(owner, name) === notificationId) discardSendDraft(owner, name)
}
