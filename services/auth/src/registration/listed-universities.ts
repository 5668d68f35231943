import { listUniversities } from '@portal/contracts/catalog/http'
import type { UniversityId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'

/** The universities that a registration may name, from the catalog. */
export type ListedUniversities = {
  /** The university of this name. Undefined if the list cannot be read, which must not block a registration. */
  find(name: string): Promise<Result<UniversityId | undefined, 'not-listed'>>
}

type UniversityIds = ReadonlyMap<string, UniversityId>

const timeoutMs = 1_000
/** How long the list is cached. A missing name triggers a refetch, at most once per `refetchMs`. */
const cacheMs = 30_000
const refetchMs = 1_000

type Options = { readonly catalogUrl: string; readonly elapsedMs: () => number }

/** Reads the list from a catalog in another process. */
export const remoteUniversities = ({ catalogUrl, elapsedMs }: Options): ListedUniversities => {
  let known: { readonly ids: UniversityIds; readonly atMs: number } | undefined
  let inFlight: Promise<UniversityIds | undefined> | undefined
  let fetchedAtMs = Number.NEGATIVE_INFINITY

  const fetchIds = async (): Promise<UniversityIds | undefined> => {
    try {
      const response = await fetch(new URL(listUniversities.path, catalogUrl), {
        signal: AbortSignal.timeout(timeoutMs),
      })
      const universities = listUniversities.response.parse(await response.json())
      known = { ids: new Map(universities.map(({ _id, name }) => [name, _id])), atMs: elapsedMs() }
      return known.ids
    } catch {
      // The catalog is unavailable, which its own health check reports.
      return undefined
    } finally {
      inFlight = undefined
    }
  }

  return {
    find: async (name) => {
      const fresh = known !== undefined && elapsedMs() - known.atMs < cacheMs ? known.ids.get(name) : undefined
      if (fresh !== undefined) return ok(fresh)
      if (inFlight === undefined && elapsedMs() - fetchedAtMs >= refetchMs) {
        fetchedAtMs = elapsedMs()
        inFlight = fetchIds()
      }
      const ids = inFlight === undefined ? known?.ids : await inFlight
      const id = ids?.get(name)
      return ids !== undefined && id === undefined ? rejected('not-listed') : ok(id)
    },
  }
}

type FindInCatalog = (name: string) => Promise<{ readonly _id: UniversityId } | undefined>

/** Asks the catalog of the same process. */
export const localUniversities = (findInCatalog: FindInCatalog): ListedUniversities => ({
  find: async (name) => {
    try {
      const university = await findInCatalog(name)
      return university ? ok(university._id) : rejected('not-listed')
    } catch {
      return ok(undefined)
    }
  },
})
