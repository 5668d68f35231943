import { z } from 'zod'

/** The plain success: `{success: true, message}`. */
export const doneSchema = z.object({ success: z.literal(true), message: z.string() })

/** Who may call a route. The server enforces it; see services/platform/src/http/bind-route.ts. */
export type Access = 'public' | 'signed-in' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * A call as a value: method, path, access and schemas in one place. The server binds a handler to it
 * (validation, authorization and OpenAPI follow from it); the web client calls through it.
 */
export type Route<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  H extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> = {
  readonly method: Method
  /** Fastify notation: `/admin/programs/:id`. */
  readonly path: `/${string}`
  readonly access: A
  readonly summary: string
  readonly params: P
  readonly query: Q
  /** Those of the request's headers that the handler is given, by their names in lower case. */
  readonly headers: H
  readonly body: B
  /** What a client takes. */
  readonly response: R
  /** What the server is held to and the documentation says, where that is more than a client insists on. */
  readonly strictResponse?: z.ZodType
  /** Largest accepted body in bytes; 64 KiB where absent. */
  readonly bodyLimitBytes?: number
}
export type AnyRoute = Route<Access, z.ZodType, z.ZodType, z.ZodType, z.ZodType, z.ZodType>

/** What a part that a call does not have accepts: nothing in particular, and nothing of it is used. */
const unspecified = z.unknown()
type Unspecified = typeof unspecified

/** Fills the parts that a call does not have, so that every route has all of them. */
export const defineRoute = <
  const A extends Access,
  R extends z.ZodType,
  P extends z.ZodType = Unspecified,
  Q extends z.ZodType = Unspecified,
  H extends z.ZodType = Unspecified,
  B extends z.ZodType = Unspecified,
>(
  route: Pick<AnyRoute, 'method' | 'path' | 'summary' | 'strictResponse' | 'bodyLimitBytes'> & {
    readonly access: A
    readonly params?: P
    readonly query?: Q
    readonly headers?: H
    readonly body?: B
    readonly response: R
  },
) =>
  ({ params: unspecified, query: unspecified, headers: unspecified, body: unspecified, ...route }) as unknown as Route<
    A,
    P,
    Q,
    H,
    B,
    R
  >

const entriesOf = (part: unknown): readonly [name: string, value: string][] =>
  Object.entries(part ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))

/** Where a call goes: `/notifications/:id` with its parameters, which must all be given, and its query. */
export const buildUrl = (
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
