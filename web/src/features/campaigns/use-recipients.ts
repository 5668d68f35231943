import { useEffect, useState } from 'react'
import type { Answer } from '../../lib/http.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import type { Recipient } from './recipients.ts'

export type LoadRecipients = (signal: AbortSignal) => Promise<Answer<readonly Recipient[]>>

export type Recipients =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly detail: string; readonly reload: () => void }
  | { readonly status: 'ready'; readonly users: readonly Recipient[] }

type Loaded = { readonly attempt: number; readonly answer: Answer<readonly Recipient[]> }

export const useRecipients = (load: LoadRecipients): Recipients => {
  const [attempt, setAttempt] = useState(1)
  const [loaded, setLoaded] = useState<Loaded>()
  const toast = useToast()

  useEffect(() => {
    const leaving = new AbortController()
    const ask = async () => {
      const answer = await load(leaving.signal)
      if (leaving.signal.aborted) return
      setLoaded({ attempt, answer })
      if (!answer.success) toast.error('Failed to load data')
    }
    void ask()
    return () => leaving.abort()
  }, [attempt, load, toast])

  if (loaded?.attempt !== attempt) return { status: 'loading' }
  const { answer } = loaded
  if (answer.success) return { status: 'ready', users: answer.data }
  return { status: 'failed', detail: answer.message, reload: () => setAttempt(attempt + 1) }
}
