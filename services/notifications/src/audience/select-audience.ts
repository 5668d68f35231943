import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId, ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { forEachPerson } from './for-each-person.ts'
import type { AudienceRejection, ResolveAudience } from './resolve-audience.ts'
import type { Rule } from './rules.ts'
import { describeAudience } from './sentence.ts'

type SelectedAudience = {
  /** Existing users, each once, sorted by bucket and id. */
  readonly userIds: readonly UserId[]
  /** How many they are. */
  readonly count: number
  /** The `contacts` of no user, as given, each once. */
  readonly unknown: readonly string[]
  /** How many `contacts` repeat an earlier one or its user. */
  readonly duplicates: number
  /** The users whom the `contacts` name. */
  readonly contactIds: ReadonlySet<UserId>
  /** `Learners of AI or Data Science whose payment is pending: 412 people` */
  readonly sentence: string
  /** The programs that the rule names, or that the rule of the reminded notification named. Empty for any. */
  readonly programIds: readonly ProgramRecordId[]
}

export type SelectAudience = (audience: Rule) => Promise<Result<SelectedAudience, AudienceRejection>>

type SelectAudienceDeps = {
  readonly resolveAudience: ResolveAudience
  /** Undefined if the text is unavailable. */
  readonly textOf: (notificationId: NotificationId) => Promise<NotificationText | undefined>
}

export const createSelectAudience =
  ({ resolveAudience, textOf }: SelectAudienceDeps): SelectAudience =>
  async (asked) => {
    const resolved = await resolveAudience.resolve(asked)
    if (!resolved.ok) return resolved
    const { view, audience, programNames, contacts, isMet, isIncluded, isExcluded } = resolved.value
    const userIds: UserId[] = []
    let [added, removed] = [0, 0]
    await forEachPerson(view.everyone(), (person) => {
      const { userId } = person
      const isSelected = isMet(person)
      if (!isSelected && !isIncluded(userId)) return
      if (!isSelected) added += 1
      if (isExcluded(userId)) removed += 1
      else userIds.push(userId)
    })
    const { unreadOf, programIds } = audience
    const reminded = unreadOf === undefined ? undefined : await textOf(unreadOf)
    const sentence = describeAudience(audience, {
      programNames,
      remindedTitle: reminded?.title,
      contacts: contacts.given,
      added,
      removed,
      count: userIds.length,
    })
    const { unknown, duplicates } = contacts
    const named = programIds?.length ? [...new Set(programIds)] : (reminded?.programIds ?? [])
    const contactIds = contacts.userIds
    return ok({ userIds, count: userIds.length, unknown, duplicates, contactIds, sentence, programIds: named })
  }
