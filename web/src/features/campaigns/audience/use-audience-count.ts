import type { Audience } from '@portal/contracts/notifications/audience'
import { countAudience } from '@portal/contracts/notifications/http'
import { useMemo } from 'react'
import { call } from '../../../lib/http.ts'
import { useLatestAnswer } from '../../../lib/use-latest-answer.ts'
import { audienceOf, isEmptyRule, type Rule } from './rule.ts'

/** Short, because the count should follow a change within 300 ms. */
const countDelayMs = 100

type Counted = { readonly audience: Audience }

const requestCount = ({ audience }: Counted, signal: AbortSignal) => call(countAudience, { body: { audience }, signal })

/** How many users an audience selects, with the sentence that describes it. A new object is counted again, at once. */
export const useAudienceCount = (counted: Counted | undefined) => useLatestAnswer(counted, requestCount, 0)

export type AudienceCount = ReturnType<typeof useAudienceCount>

/** The count of a rule, after each change. No request is sent for an empty rule. */
export const useRuleCount = (rule: Rule): AudienceCount => {
  const counted = useMemo(() => (isEmptyRule(rule) ? undefined : { audience: audienceOf(rule) }), [rule])
  return useLatestAnswer(counted, requestCount, countDelayMs)
}
