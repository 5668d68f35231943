import type { Audience } from '@portal/contracts/notifications/audience'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, type Result } from '@portal/platform/decider/decider'

export type SelectedAudience = {
  /** Existing users, each once, sorted by bucket and id. */
  readonly userIds: readonly UserId[]
  /** How many they are. */
  readonly count: number
  /** The `contacts` of no user, as given, each once. */
  readonly unknown: readonly string[]
  /** How many `contacts` repeat an earlier one. */
  readonly duplicates: number
  /** `Learners of AI or Data Science whose payment is pending: 412 people` */
  readonly sentence: string
}

/** 'unknown-programs' is the API error 'Program not found'. */
export type AudienceRejection = { readonly reason: 'unknown-programs' }

export type SelectAudience = (audience: Audience) => Promise<Result<SelectedAudience, AudienceRejection>>

export const createSelectAudience = (): SelectAudience => async () =>
  ok({ userIds: [], count: 0, unknown: [], duplicates: 0, sentence: '' })
