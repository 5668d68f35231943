import { isDeepStrictEqual } from 'node:util'
import type { Access, AnyRoute } from '@portal/contracts/shared/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Credentials, credentialsOf, type Session, type SessionVerifier } from '../session/session.ts'
import type { ApiError, BindRoute, Call } from './handler.ts'
import { apiErrorOfIssues, apiErrors, sendApiError } from './problem.ts'
import { logWrite } from './request-log.ts'
import { passesCsrfCheck } from './request-origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the route's own onRequest hook, before the body is read. */
    session: Session | undefined
  }
  interface FastifyContextConfig {
    /** The contract a route was bound from; openapi.ts documents it. */
    contract?: AnyRoute
  }
}

type BindRouteDeps = {
  readonly sessions: SessionVerifier
  /** Origin of the portal's public address, where it is known. */
  readonly publicOrigin?: string | undefined
  /** Checks each answer against its contract. For tests and development: it costs what the answer is worth. */
  readonly validateResponses: boolean
}

export const defaultBodyLimitBytes = 64 * 1024

/** Vary, because a page may have the same address, and no cache may take one for the other. */
const responseHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'Accept',
}

export const makeBindRoute = ({ sessions, publicOrigin, validateResponses }: BindRouteDeps): BindRoute => {
  const bind: BindRoute = (app, route, handler) => {
    if (!app.hasRequestDecorator('session')) app.decorateRequest('session')
    const isWrite = route.method !== 'GET'
    const parse = parserOf(route)
    const check = validateResponses ? responseCheck(route) : undefined
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.bodyLimitBytes ?? defaultBodyLimitBytes,
      config: { contract: route },
      onRequest: authorize(route, sessions, publicOrigin),
      handler: async (request, reply) => {
        const startedAtMs = isWrite ? performance.now() : 0
        const parts = parse(request)
        if (!parts.ok) return sendApiError(request, reply, parts.refusal)
        const result = await handler(callOf(route, parts, request, reply))
        if (!result.ok) return sendApiError(request, reply, result.error)
        const body = typeof result.value === 'string' ? result.value : JSON.stringify(result.value)
        check?.(body)
        if (isWrite) logWrite(request, startedAtMs)
        return reply.headers(responseHeaders).send(body)
      },
    })
  }
  return bind
}

/**
 * Lets a request in or turns it away before its body is read: who may not call learns nothing from the body's check, and an
 * anonymous upload costs nothing. In callback style, because it runs for every request.
 */
const authorize = (route: AnyRoute, sessions: SessionVerifier, publicOrigin: string | undefined) => {
  const isWrite = route.method !== 'GET'
  const refusalFor = (request: FastifyRequest, by: Credentials['by'] | undefined, session: Session | undefined) => {
    const refusal = apiErrorOfAccess(route.access, session)
    if (refusal) return refusal
    if (isWrite && !passesCsrfCheck(request, session && by, publicOrigin)) return apiErrors.foreignOrigin
    return undefined
  }
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const settle = (by: Credentials['by'] | undefined, session: Session | undefined) => {
      const refusal = refusalFor(request, by, session)
      // Also for a refusal, so that the security log names who was refused.
      request.session = session
      if (refusal) {
        sendApiError(request, reply, refusal)
        return
      }
      done()
    }
    const credentials = credentialsOf(request)
    if (!credentials) settle(undefined, undefined)
    else sessions.verify(credentials.token).then((session) => settle(credentials.by, session), done)
  }
}

type Parts =
  | {
      readonly ok: true
      readonly params: unknown
      readonly query: unknown
      readonly headers: unknown
      readonly body: unknown
    }
  | { readonly ok: false; readonly refusal: ApiError }

type PartParser = (input: unknown) => z.ZodSafeParseResult<unknown>

/** Undefined for a part that the call does not have. */
const partParser = (schema: z.ZodType): PartParser | undefined =>
  schema instanceof z.ZodUnknown ? undefined : (input) => schema.safeParse(input)

/** One zod parse for each part the call has; the first part that does not fit is the answer. */
const parserOf = (route: AnyRoute): ((request: FastifyRequest) => Parts) => {
  const paramsParser = partParser(route.params)
  const queryParser = partParser(route.query)
  const headersParser = partParser(route.headers)
  const bodyParser = partParser(route.body)
  return (request) => {
    const params = paramsParser?.(request.params)
    if (params?.error) return { ok: false, refusal: apiErrorOfIssues(params.error) }
    const query = queryParser?.(request.query)
    if (query?.error) return { ok: false, refusal: apiErrorOfIssues(query.error) }
    // No body at all is an empty form: the caller gets the messages of what is required.
    const given = request.body ?? {}
    if (bodyParser && (typeof given !== 'object' || Array.isArray(given)))
      return { ok: false, refusal: apiErrors.notAnObject }
    const body = bodyParser?.(given)
    if (body?.error) return { ok: false, refusal: apiErrorOfIssues(body.error) }
    const headers = headersParser?.(request.headers)
    if (headers?.error) return { ok: false, refusal: apiErrorOfIssues(headers.error) }
    return { ok: true, params: params?.data, query: query?.data, headers: headers?.data, body: body?.data }
  }
}

/** Its own schemas have parsed the parts and admission has seen to the session, which the type of R cannot express. */
const callOf = <R extends AnyRoute>(
  _route: R,
  { params, query, headers, body }: Extract<Parts, { ok: true }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Call<R> => ({ params, query, headers, body, session: request.session, request, reply }) as Call<R>

/** Throws when an answer lacks what its contract promises or carries what it does not mention. */
const responseCheck = (route: AnyRoute) => (body: string) => {
  const answer: unknown = JSON.parse(body)
  const parsed = (route.promise ?? route.response).safeParse(answer)
  const call = `${route.method} ${route.path}`
  if (parsed.error) throw new Error(`The answer of ${call} breaks its contract: ${z.prettifyError(parsed.error)}`)
  if (!isDeepStrictEqual(parsed.data, answer)) {
    throw new Error(`The answer of ${call} carries fields that its contract does not have`)
  }
}

/** Why the caller may not use a route with this access declaration; undefined when they may. */
export const apiErrorOfAccess = (access: Access, session: Pick<Session, 'role'> | undefined): ApiError | undefined => {
  if (access === 'public') return undefined
  if (!session) return apiErrors.unauthenticated
  return access === 'admin' && session.role !== 'admin' ? apiErrors.forbidden : undefined
}
