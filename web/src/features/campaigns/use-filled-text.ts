import type { Audience } from '@portal/contracts/notifications/audience'
import { getPerson } from '@portal/contracts/notifications/people'
import { fillPlaceholders, placeholdersIn, type PlaceholderValues } from '@portal/contracts/notifications/placeholders'
import type { UserId } from '@portal/contracts/shared/ids'
import { useMemo } from 'react'
import { call } from '../../lib/http.ts'
import { useLatestAnswer } from '../../lib/use-latest-answer.ts'
import type { SentText } from './draft.ts'

const sample = { name: 'Asha Patel', program: 'Artificial Intelligence', code: 'MIN-2026-0042' }

const requestReader = ({ userId }: { readonly userId: UserId }, signal: AbortSignal) =>
  call(getPerson, { params: { userId }, signal })

/** A text as one of its readers sees it. */
type FilledText = {
  readonly text: SentText
  /** Whose values were filled in; undefined without placeholders. */
  readonly reader: { readonly name: string; readonly isSample: boolean } | undefined
}

const filledWith = (text: SentText, values: PlaceholderValues): SentText => ({
  ...text,
  title: fillPlaceholders(text.title, values).trim() || 'Notification',
  message: fillPlaceholders(text.message, values),
})

/** Fills in the placeholders for the first recipient who was chosen by hand, or, without one, for a sample. */
export const useFilledText = (text: SentText, { include, programIds = [] }: Audience): FilledText => {
  const isPersonal = placeholdersIn(text.title, text.message).size > 0
  const userId = isPersonal ? include?.[0] : undefined
  const chosen = useMemo(() => (userId === undefined ? undefined : { userId }), [userId])
  const { data, isStale } = useLatestAnswer(chosen, requestReader, 0)
  if (!isPersonal) return { text, reader: undefined }
  if (!data || isStale) return { text: filledWith(text, sample), reader: { name: sample.name, isSample: true } }
  const { person, enrollments = [] } = data
  const program = enrollments.findLast(({ programId }) => programIds.length === 0 || programIds.includes(programId))
  const values = { name: person.fullName, code: person.studentCode, program: program?.programName }
  return { text: filledWith(text, values), reader: { name: person.fullName, isSample: false } }
}
