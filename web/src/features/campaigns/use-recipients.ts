import { useEffect } from 'react'
import type { Answer } from '../../lib/http.ts'
import { useRequestQuery, type LoadState } from '../../lib/query.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import type { Recipient } from './recipients.ts'

export type LoadRecipients = (signal: AbortSignal) => Promise<Answer<readonly Recipient[]>>

export type Recipients = { readonly state: LoadState<readonly Recipient[]>; readonly reload: () => void }

export const useRecipients = (load: LoadRecipients): Recipients => {
  const { state, reload } = useRequestQuery({ key: ['recipients'], request: load })
  const toast = useToast()
  useEffect(() => {
    if (state.kind === 'failed') toast.error('Failed to load data')
  }, [state, toast])
  return { state, reload }
}
