import { isDeepStrictEqual } from 'node:util'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { unattendedHeader } from '@portal/contracts/shared/unattended'
import { problemSchema } from '@portal/contracts/shared/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isApiKey } from '../session/api-key.ts'
import type { ApiKeyVerifier } from '../session/api-key-verifier.ts'
import {
  type Credentials,
  credentialsOf,
  type RequestCaller,
  type SessionPurpose,
  type SessionVerifier,
} from '../session/session.ts'
import { undocumented } from './documented-errors.ts'
import { FileDownload, sendDownload } from './file-download.ts'
import { ImmutableFile, sendImmutable } from './immutable-file.ts'
import { createMemoryAnswers } from '../idempotency/memory.ts'
import type { RememberedAnswers } from '../idempotency/port.ts'
import { createAnswerOnce, headersOf } from './answer-once.ts'
import type { ApiError, BindRoute, Call } from './handler.ts'
import { plainIssue } from './plain-issue.ts'
import { apiErrorOfIssues, apiErrors, sendApiError } from './problem.ts'
import { logWrite } from './request-log.ts'
import { passesCsrfCheck } from './request-origin.ts'
import { apiErrorOfAccess } from './route-access.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the route's own onRequest hook, before the body is read. */
    session: RequestCaller | undefined
  }
  interface FastifyContextConfig {
    /** The contract that the route was bound from, for openapi.ts. */
    contract?: AnyRoute
  }
}

type BindRouteDeps = {
  readonly sessions: SessionVerifier
  /** Absent: no API key is valid. */
  readonly apiKeys?: ApiKeyVerifier
  /** Origin of the portal's public address, if it is configured. */
  readonly publicOrigin?: string | undefined
  /** Checks each response against its contract. For tests: the check is as expensive as the response. */
  readonly validateResponses: boolean
  /** Memory of given answers; that of this process by default. */
  readonly answers?: RememberedAnswers
}

/** Type of a file whose route names none. */
const defaultFileType = 'application/octet-stream'

export const defaultBodyLimitBytes = 64 * 1024

/** Vary: a page can have the same URL, and a cache must not mix the two. */
const responseHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'Accept',
}

export const makeBindRoute = (deps: BindRouteDeps): BindRoute => {
  const { publicOrigin, validateResponses, answers = createMemoryAnswers() } = deps
  const identify = createIdentify(deps)
  const bind: BindRoute = (app, route, handler) => {
    if (!app.hasRequestDecorator('session')) app.decorateRequest('session')
    const isWrite = route.method !== 'GET'
    const parse = parserOf(route)
    const check = validateResponses ? responseCheck(route) : undefined
    const answerOnce = createAnswerOnce(route, answers)
    const errorCheck = validateResponses ? { onSend: checkError(route) } : {}
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.bodyLimitBytes ?? defaultBodyLimitBytes,
      config: { contract: route },
      onRequest: authorize(route, identify, publicOrigin),
      ...errorCheck,
      handler: async (request, reply) => {
        const startedAtMs = isWrite ? performance.now() : 0
        const parts = parse(request)
        if (!parts.ok) return sendApiError(request, reply, parts.error)
        const run = () => handler(callOf(route, parts, request, reply))
        const result = await (answerOnce ? answerOnce(request, reply, run) : run())
        if (!result.ok) return sendApiError(request, reply, result.error)
        if (result.value instanceof ImmutableFile)
          return sendImmutable(request, reply, route.contentType ?? defaultFileType, result.value)
        if (result.value instanceof FileDownload)
          return sendDownload(request, reply, route.contentType ?? defaultFileType, result.value)
        const body = typeof result.value === 'string' ? result.value : JSON.stringify(result.value)
        check?.(body)
        if (isWrite) logWrite(request, startedAtMs)
        return reply.headers(responseHeaders).send(body)
      },
    })
  }
  return bind
}

type Identify = (credentials: Credentials, purpose: SessionPurpose) => Promise<RequestCaller | undefined>

/** An API key counts as bearer token only. */
const createIdentify =
  ({ sessions, apiKeys }: BindRouteDeps): Identify =>
  async ({ token, by }, purpose) =>
    by === 'bearer' && isApiKey(token) ? apiKeys?.verify(token) : sessions.verify(token, purpose)

/**
 * Authorizes a request before its body is read: an unauthorized caller gets no validation errors, and an anonymous upload costs
 * nothing. In callback style, because it runs for every request.
 */
const authorize = (route: AnyRoute, identify: Identify, publicOrigin: string | undefined) => {
  const isWrite = route.method !== 'GET'
  const isPublicHttps = publicOrigin?.startsWith('https:') ?? false
  const errorFor = (request: FastifyRequest, by: Credentials['by'] | undefined, session: RequestCaller | undefined) => {
    const accessError = apiErrorOfAccess(route, session)
    if (accessError) return accessError
    if (isWrite && !passesCsrfCheck(request, session && by, publicOrigin)) return apiErrors.foreignOrigin
    return undefined
  }
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const finish = (by: Credentials['by'] | undefined, caller: RequestCaller | undefined) => {
      // Handlers of public routes expect people.
      const session = route.access === 'public' && caller?.apiKeyId !== undefined ? undefined : caller
      const error = errorFor(request, by, session)
      // Also set on a rejection, so that the security log names the user.
      request.session = session
      if (error) {
        sendApiError(request, reply, error)
        return
      }
      done()
    }
    const credentials = credentialsOf(request, isPublicHttps || request.protocol === 'https')
    if (!credentials) finish(undefined, undefined)
    else {
      const purpose = request.headers[unattendedHeader] === undefined ? 'use' : 'look'
      identify(credentials, purpose).then((session) => finish(credentials.by, session), done)
    }
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
  | { readonly ok: false; readonly error: ApiError }

type PartParser = (input: unknown) => z.ZodSafeParseResult<unknown>

/** Undefined if the route does not use this part. */
const partParser = (schema: z.ZodType): PartParser | undefined =>
  schema instanceof z.ZodUnknown ? undefined : (input) => schema.safeParse(input, { error: plainIssue })

/** Parses each part that the route uses. Stops at the first invalid part. */
const parserOf = (route: AnyRoute): ((request: FastifyRequest) => Parts) => {
  const paramsParser = partParser(route.params)
  const queryParser = partParser(route.query)
  const headersParser = partParser(headersOf(route))
  const bodyParser = partParser(route.body)
  return (request) => {
    const params = paramsParser?.(request.params)
    if (params?.error) return { ok: false, error: apiErrorOfIssues(params.error) }
    const query = queryParser?.(request.query)
    if (query?.error) return { ok: false, error: apiErrorOfIssues(query.error) }
    // A missing body counts as an empty object, so that the error names the required fields.
    const given = request.body ?? {}
    if (bodyParser && (typeof given !== 'object' || Array.isArray(given)))
      return { ok: false, error: apiErrors.notAnObject }
    const body = bodyParser?.(given)
    if (body?.error) return { ok: false, error: apiErrorOfIssues(body.error) }
    const headers = headersParser?.(request.headers)
    if (headers?.error) return { ok: false, error: apiErrorOfIssues(headers.error) }
    return { ok: true, params: params?.data, query: query?.data, headers: headers?.data, body: body?.data }
  }
}

/** The cast is safe: the route's schemas have parsed the parts, and `authorize` has checked the session. */
const callOf = <R extends AnyRoute>(
  _route: R,
  { params, query, headers, body }: Extract<Parts, { ok: true }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Call<R> => ({ params, query, headers, body, session: request.session, request, reply }) as Call<R>

/** Throws when a response lacks a field of its contract or has one that the contract does not define. */
const responseCheck = (route: AnyRoute) => (body: string) => {
  const response: unknown = JSON.parse(body)
  const parsed = (route.strictResponse ?? route.response).safeParse(response)
  const call = `${route.method} ${route.path}`
  if (parsed.error) throw new Error(`The response of ${call} breaks its contract: ${z.prettifyError(parsed.error)}`)
  if (!isDeepStrictEqual(parsed.data, response)) {
    throw new Error(`The response of ${call} has fields that its contract does not define`)
  }
}

/** Fails an error response that the contract does not document. The caller gets a 500, and the log says why. */
const checkError =
  (route: AnyRoute) =>
  (
    _request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
    done: (error: Error | null, body?: unknown) => void,
  ) => {
    const problem =
      reply.statusCode < 400 || typeof body !== 'string' ? undefined : problemSchema.parse(JSON.parse(body))
    const reason = problem && undocumented(route, problem)
    if (reason === undefined) done(null, body)
    else done(new Error(reason))
  }
