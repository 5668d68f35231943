import { findPeople, getPerson } from '@portal/contracts/notifications/people'
import type { UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { useMemo, useState } from 'react'
import { call } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'
import { useLatestAnswer } from '../../lib/use-latest-answer.ts'

const searchDelayMs = 150
const shownPeople = 6

/** The first users who match the typed name. The search begins with the first letter. */
export const usePersonSearch = () => {
  const [text, type] = useState('')
  const q = text.trim().slice(0, limits.shortTextChars)
  const input = useMemo(() => (q === '' ? undefined : { q }), [q])
  const { data, isStale, failure } = useLatestAnswer(
    input,
    (asked, signal) => call(findPeople, { query: { q: asked.q, limit: shownPeople }, signal }),
    searchDelayMs,
  )
  return { text, type, people: data?.people, isSearching: input !== undefined && isStale && !failure, failure }
}

/** The name of a user. Undefined while it loads. */
export const usePersonName = (userId: UserId): string | undefined => {
  const { state } = useRequestQuery({
    key: ['person-name', userId],
    request: (signal) => call(getPerson, { params: { userId }, signal }),
  })
  if (state.kind === 'loading') return undefined
  return state.kind === 'loaded' ? state.data.person.fullName : 'Deleted account'
}
