import type { University } from '@portal/contracts/catalog/http'
import { countAudience } from '@portal/contracts/notifications/http'
import { groupedAsInIndia } from '../../lib/number-format.ts'
import { call } from '../../lib/http.ts'
import { useLatestAnswer } from '../../lib/use-latest-answer.ts'

const requestCount = ({ name }: University, signal: AbortSignal) =>
  call(countAudience, { body: { audience: { universityNames: [name], roles: ['student'] } }, signal })

const sentenceOf = (count: number): string => {
  if (count === 0) return 'No learner belongs to it.'
  return count === 1
    ? '1 learner belongs to it and keeps it.'
    : `${groupedAsInIndia(count)} learners belong to it and keep it.`
}

/** How many learners belong to a university, as a sentence; undefined until it is known. */
export const useLearnerCount = (university: University | undefined): string | undefined => {
  const { data, isStale } = useLatestAnswer(university, requestCount, 0)
  return data && !isStale ? sentenceOf(data.count) : undefined
}
