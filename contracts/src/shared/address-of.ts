import type { AnyRoute } from './route.ts'

const entriesOf = (part: unknown): readonly [name: string, value: string][] =>
  Object.entries(part ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))

/** Where a call goes: `/notifications/:id` with its parameters, which must all be given, and its query. */
export const addressOf = (
  { path }: Pick<AnyRoute, 'path'>,
  { params, query }: { readonly params?: unknown; readonly query?: unknown } = {},
): string => {
  const values = new Map(entriesOf(params))
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`${path} needs '${name}'`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams([...entriesOf(query)]).toString()
  return search === '' ? filled : `${filled}?${search}`
}
