import { listUniversities } from '@portal/contracts/catalog/http'

/** The universities that a registration may name, from the catalog. */
export type ListedUniversities = {
  /** Undefined if the list cannot be read, which must not block a registration. */
  has(name: string): Promise<boolean | undefined>
}

const timeoutMs = 1_000
/** How long the list is cached. A missing name triggers a refetch, at most once per `refetchMs`. */
const cacheMs = 30_000
const refetchMs = 1_000

type Options = { readonly catalogUrl: string; readonly elapsedMs: () => number }

/** Reads the list from a catalog in another process. */
export const remoteUniversities = ({ catalogUrl, elapsedMs }: Options): ListedUniversities => {
  let known: { readonly names: ReadonlySet<string>; readonly atMs: number } | undefined
  let inFlight: Promise<ReadonlySet<string> | undefined> | undefined
  let fetchedAtMs = Number.NEGATIVE_INFINITY

  const fetchNames = async (): Promise<ReadonlySet<string> | undefined> => {
    try {
      const response = await fetch(new URL(listUniversities.path, catalogUrl), {
        signal: AbortSignal.timeout(timeoutMs),
      })
      const universities = listUniversities.response.parse(await response.json())
      known = { names: new Set(universities.map(({ name }) => name)), atMs: elapsedMs() }
      return known.names
    } catch {
      // The catalog is unavailable, which its own health check reports.
      return undefined
    } finally {
      inFlight = undefined
    }
  }

  return {
    has: async (name) => {
      const isFresh = known !== undefined && elapsedMs() - known.atMs < cacheMs
      if (isFresh && known?.names.has(name)) return true
      if (inFlight === undefined && elapsedMs() - fetchedAtMs >= refetchMs) {
        fetchedAtMs = elapsedMs()
        inFlight = fetchNames()
      }
      const names = inFlight === undefined ? known?.names : await inFlight
      return names?.has(name)
    },
  }
}
