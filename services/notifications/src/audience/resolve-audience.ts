import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { type MatchedContacts, matchContacts } from './contacts.ts'
import type { PeopleIndex, PeopleSnapshot } from './people-index.ts'
import type { Population } from './population.ts'
import { type Condition, createCondition, needsProfiles, type Rule } from './rules.ts'
import type { UnreadRecipients } from './unread-recipients.ts'

/** 'unknown-programs' is the API error 'Program not found'. */
export type AudienceRejection = { readonly reason: 'unknown-programs' }

/** A rule with everything that its conditions depend on. */
type ResolvedAudience<View extends Population = Population> = {
  readonly view: View
  /** The rule with the names that its universities have now. */
  readonly audience: Rule
  readonly programNames: readonly string[]
  readonly contacts: MatchedContacts
  /** Whether the conditions select the user, without `include` and `exclude`. */
  readonly isMet: Condition
  isIncluded(userId: UserId): boolean
  isExcluded(userId: UserId): boolean
}

type ResolveAudienceDeps = { readonly people: PeopleIndex; readonly unreadRecipients: UnreadRecipients }

export const createResolveAudience = ({ people, unreadRecipients }: ResolveAudienceDeps) => {
  const resolveIn = async <View extends Population>(
    view: View,
    asked: Rule,
    universitiesNamed: PeopleSnapshot['universitiesNamed'],
  ): Promise<Result<ResolvedAudience<View>, AudienceRejection>> => {
    const { universityNames } = asked
    const currentNames = universityNames?.map((universityName) => view.currentUniversityName({ universityName }))
    const audience = currentNames ? { ...asked, universityNames: [...new Set(currentNames)] } : asked
    const programNames: string[] = []
    for (const programId of new Set(audience.programIds)) {
      const name = view.programs.get(programId)
      if (name === undefined) return rejected({ reason: 'unknown-programs' })
      programNames.push(name)
    }
    const { unreadOf } = audience
    const unread = unreadOf === undefined ? new Set<UserId>() : await unreadRecipients(unreadOf)
    const contacts = await matchContacts(audience.contacts ?? [], view.everyone())
    const isMet = createCondition(audience, {
      unread,
      contacts: audience.contactIds ? new Set(audience.contactIds) : contacts.userIds,
      universities: universitiesNamed(audience.universityNames ?? []),
    })
    const [included, excluded] = [new Set(audience.include), new Set(audience.exclude)]
    return ok({
      view,
      audience,
      programNames,
      contacts,
      isMet,
      isIncluded: (userId) => included.has(userId),
      isExcluded: (userId) => excluded.has(userId),
    })
  }
  const resolveWithNames = async (audience: Rule) => {
    const snapshot = await people.snapshot()
    return resolveIn(snapshot, audience, snapshot.universitiesNamed)
  }
  return {
    /** Waits for names only if the rule needs them. */
    resolve: async (audience: Rule) =>
      needsProfiles(audience)
        ? resolveWithNames(audience)
        : resolveIn<Population>(await people.population(), audience, () => new Set()),
    resolveWithNames,
  }
}
export type ResolveAudience = ReturnType<typeof createResolveAudience>
