import { listUniversities } from '@portal/contracts/catalog/http'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/http.ts'

export type Universities = {
  readonly status: 'loading' | 'failed' | 'ready'
  readonly names: readonly string[]
  readonly reload: () => void
}

type Loaded = { readonly attempt: number; readonly names: readonly string[] | undefined }

/** The names to choose from, loaded on entry. */
export const useUniversities = (): Universities => {
  const [attempt, setAttempt] = useState(1)
  const [loaded, setLoaded] = useState<Loaded>({ attempt: 0, names: undefined })

  useEffect(() => {
    const leaving = new AbortController()
    const load = async () => {
      const answer = await call(listUniversities, { signal: leaving.signal })
      if (leaving.signal.aborted) return
      setLoaded({ attempt, names: answer.success ? [...new Set(answer.data.map(({ name }) => name))] : undefined })
    }
    void load()
    return () => leaving.abort()
  }, [attempt])

  const reload = () => setAttempt(attempt + 1)
  if (loaded.attempt !== attempt) return { status: 'loading', names: [], reload }
  return loaded.names ? { status: 'ready', names: loaded.names, reload } : { status: 'failed', names: [], reload }
}
