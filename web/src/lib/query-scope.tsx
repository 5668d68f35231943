import { createContext, useMemo, type ReactNode } from 'react'
import { useSession } from './session.ts'

/** The key of one session's cache in lib/query.ts. A plain object, so that pages without server data do not load the query library. */
export type QueryScope = Readonly<Record<never, never>>

export const QueryScopeContext = createContext<QueryScope>({})

/** Each session has its own cache, so that users of a shared device never see each other's data. */
export const QueryScopeProvider = ({ children }: { children: ReactNode }) => {
  const token = useSession()?.token ?? null
  const scope = useMemo((): QueryScope => ({ token }), [token])
  return <QueryScopeContext value={scope}>{children}</QueryScopeContext>
}
