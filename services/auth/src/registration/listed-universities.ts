import { listUniversities } from '@portal/contracts/catalog/http'

/** The universities that a registration may name, as another context keeps them. */
export type ListedUniversities = {
  /** Undefined where the list cannot be read: that must not stop a registration. */
  has(name: string): Promise<boolean | undefined>
}

const timeoutMs = 1_000
/** A university that was added a moment ago is found at once: a name that is missing is looked up again after `askAgainMs`. */
const keptMs = 30_000
const askAgainMs = 1_000

type Options = { readonly catalogUrl: string; readonly elapsedMs: () => number }

/** The list of a catalog that is a process of its own. */
export const remoteUniversities = ({ catalogUrl, elapsedMs }: Options): ListedUniversities => {
  let known: { readonly names: ReadonlySet<string>; readonly atMs: number } | undefined
  let asking: Promise<ReadonlySet<string> | undefined> | undefined
  let askedMs = Number.NEGATIVE_INFINITY

  const ask = async (): Promise<ReadonlySet<string> | undefined> => {
    try {
      const answer = await fetch(new URL(listUniversities.path, catalogUrl), { signal: AbortSignal.timeout(timeoutMs) })
      const universities = listUniversities.response.parse(await answer.json())
      known = { names: new Set(universities.map(({ name }) => name)), atMs: elapsedMs() }
      return known.names
    } catch {
      // The catalog does not answer, which its own health reports.
      return undefined
    } finally {
      asking = undefined
    }
  }

  return {
    has: async (name) => {
      const isFresh = known !== undefined && elapsedMs() - known.atMs < keptMs
      if (isFresh && known?.names.has(name)) return true
      if (asking === undefined && elapsedMs() - askedMs >= askAgainMs) {
        askedMs = elapsedMs()
        asking = ask()
      }
      const names = asking === undefined ? known?.names : await asking
      return names?.has(name)
    },
  }
}
