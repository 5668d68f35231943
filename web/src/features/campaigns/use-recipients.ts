import { useEffect } from 'react'
import type { Answer } from '../../lib/http.ts'
import { useAnswer, type Loading } from '../../lib/use-answer.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import type { Recipient } from './recipients.ts'

export type LoadRecipients = (signal: AbortSignal) => Promise<Answer<readonly Recipient[]>>

export type Recipients = { readonly state: Loading<readonly Recipient[]>; readonly reload: () => void }

export const useRecipients = (load: LoadRecipients): Recipients => {
  const { state, reload } = useAnswer(load)
  const toast = useToast()
  useEffect(() => {
    if (state.kind === 'failed') toast.error('Failed to load data')
  }, [state, toast])
  return { state, reload }
}
