import { z } from 'zod'
import type { ApiKeyRight } from '../auth/api-key-rights.ts'
import type { ProblemCode } from './problem.ts'

/** A success without data: `{success: true, message}`. */
export const doneSchema = z.object({ success: z.literal(true), message: z.string() })

/** An error that a route can answer with. Its message is shown to users; the code decides the HTTP status. */
export type RouteError = { readonly code: ProblemCode; readonly message: string }

export const routeError = <const Code extends ProblemCode>(code: Code, message: string) => ({ code, message })

/** Access level of a route. Enforced by services/platform/src/http/bind-route.ts. */
export type Access = 'public' | 'signed-in' | 'admin'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * A route definition: method, path, access and schemas in one place. The server binds a handler to it, which adds
 * validation, authorization and OpenAPI. The web client calls through it.
 */
type Route<
  A extends Access,
  K extends ApiKeyRight | undefined,
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
  /** The right that an API key needs to make the call in the name of its admin. Without it, no API key can make the call. */
  readonly apiKey?: K
  readonly summary: string
  readonly params: P
  readonly query: Q
  /** The request headers that the handler receives, with lower-case names. Those of idempotency.ts are understood without it. */
  readonly headers: H
  readonly body: B
  /** What a client accepts. */
  readonly response: R
  /** What the server validates and documents, if stricter than `response`. */
  readonly strictResponse?: z.ZodType
  /** Maximum body size in bytes; 64 KiB by default. */
  readonly bodyLimitBytes?: number
  /**
   * Why a repeated request does no harm: it changes nothing, or the handler recognizes it for ever. Without it, the server remembers
   * the answer under the Idempotency-Key for ten minutes (services/platform/src/http/answer-once.ts).
   */
  readonly repetition?: 'harmless' | 'recognized'
  /** Media type of a response that is a file. Absent if the response is JSON. */
  readonly contentType?: string
  /**
   * The errors of this route's own rules. Those that follow from method, access and schemas, such as 401 without a session, are
   * added by services/platform/src/http/documented-errors.ts. In tests, any other error fails the call.
   */
  readonly errors?: readonly RouteError[]
}
export type AnyRoute = Route<Access, ApiKeyRight | undefined, z.ZodType, z.ZodType, z.ZodType, z.ZodType, z.ZodType>

const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** The routes that a module of contracts exports, besides its schemas. */
export const routesOf = (contracts: object): readonly AnyRoute[] => Object.values(contracts).filter(isRoute)

/** The header with the key that a client makes for each action. */
export const idempotencyKeyHeader = 'idempotency-key'

/** Whether a request may arrive twice without the server remembering its answer. */
export const repeatsSafely = ({ method, repetition }: Pick<AnyRoute, 'method' | 'repetition'>): boolean =>
  method === 'GET' || repetition !== undefined

/** Schema of an absent part. It accepts anything, and the value is not used. */
const unspecified = z.unknown()
type Unspecified = typeof unspecified

/** Fills in the missing parts, so that every route has all of them. */
export const defineRoute = <
  const A extends Access,
  R extends z.ZodType,
  const K extends ApiKeyRight | undefined = undefined,
  P extends z.ZodType = Unspecified,
  Q extends z.ZodType = Unspecified,
  H extends z.ZodType = Unspecified,
  B extends z.ZodType = Unspecified,
>(
  route: Pick<
    AnyRoute,
    'method' | 'path' | 'summary' | 'strictResponse' | 'bodyLimitBytes' | 'repetition' | 'contentType' | 'errors'
  > & {
    readonly access: A
    readonly apiKey?: K
    readonly params?: P
    readonly query?: Q
    readonly headers?: H
    readonly body?: B
    readonly response: R
  },
) =>
  ({
    params: unspecified,
    query: unspecified,
    headers: unspecified,
    body: unspecified,
    ...route,
  }) as unknown as Route<A, K, P, Q, H, B, R>

/** A list is a repeated parameter. */
const entriesOf = (part: unknown): readonly [name: string, value: string][] =>
  Object.entries(part ?? {}).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined)
      .map((one): [string, string] => [name, String(one)]),
  )

/** The URL of a call: the path with its parameters filled in (all are required), plus the query. */
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
