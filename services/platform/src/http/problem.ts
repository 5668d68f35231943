import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem, ProblemCode } from '@portal/contracts/shared/problem'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isOutcomeUnknown, isTransient, isWriteRefused } from '../errors/error-kinds.ts'
import type { ApiError } from './handler.ts'
import { isRepeatable } from './upstream.ts'
import { logApiError, recordForSecurity } from './request-log.ts'
import { apiSecurityHeaders } from './security-headers.ts'

/** The only file that knows HTTP statuses. All other code uses problem codes. */
const statusOf: Readonly<Record<ProblemCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'second-factor-required': 403,
  'not-found': 404,
  conflict: 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  misdirected: 421,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  'unknown-outcome': 504,
}

/** Returns the status of a code, for responses that are not problems, such as a health report. */
export const httpStatusOf = (code: ProblemCode): number => statusOf[code]

export const apiErrors = {
  unauthenticated: { code: 'unauthenticated', message: 'Please log in to continue' },
  forbidden: { code: 'forbidden', message: 'You do not have permission to do this' },
  apiKeyForbidden: { code: 'forbidden', message: 'This API key is not allowed to do this' },
  foreignOrigin: { code: 'forbidden', message: 'This request does not come from the portal' },
  httpsRequired: { code: 'forbidden', message: 'The portal is available over https only' },
  unknownCall: { code: 'not-found', message: 'There is no such call' },
  foreignHost: {
    code: 'misdirected',
    message: 'This is not the address of the portal. Open it at its own address, which the setting PUBLIC_URL names.',
  },
  notOneHost: { code: 'invalid', message: 'The request must have exactly one Host header' },
  invalid: { code: 'invalid', message: 'The request is not valid' },
  notAnObject: { code: 'invalid', message: 'The request body must be a JSON object' },
  internal: { code: 'internal', message: 'Something went wrong. Please try again.' },
  unavailable: { code: 'unavailable', message: 'This is not available right now. Please try again in a moment.' },
  cannotBeSaved: { code: 'unavailable', message: 'This cannot be saved at the moment. Please try again later.' },
  unknownOutcome: {
    code: 'unknown-outcome',
    message: 'No answer came in time, so this may already have been done. Please check before you try again.',
  },
} as const satisfies Record<string, ApiError>

export const sendApiError = (request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply => {
  logApiError(request, error)
  // Callers get the same code for a missing role and for a foreign origin. The security log tells them apart.
  recordForSecurity(request, error.code, error === apiErrors.foreignOrigin ? 'foreign-origin' : error.code)
  return sendProblem(request, reply, error)
}

/** Sends the problem body with the request id, by which a caller's report can be found in the log. */
const sendProblem = (request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply => {
  const { code, message, errors, retryAfterSeconds, secondStep } = error
  const problem: Problem = {
    success: false,
    code,
    message,
    ...(errors && { errors }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(secondStep && { secondStep }),
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(statusOf[code])
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .headers(apiSecurityHeaders)
    .header('x-request-id', request.id)
    .send(JSON.stringify(problem))
}

/** The first message overall, and the first message of each field for forms. */
export const apiErrorOfIssues = (error: z.ZodError): ApiError => {
  const byField = new Map<string, string>()
  for (const issue of error.issues) {
    const field = issue.path.join('.')
    if (field !== '' && !byField.has(field)) byField.set(field, issue.message)
  }
  return {
    code: 'invalid',
    message: error.issues[0]?.message ?? apiErrors.invalid.message,
    ...(byField.size > 0 && { errors: Object.fromEntries(byField) }),
  }
}

/** What Fastify rejects before a handler runs. */
export const frameworkErrors = {
  invalidJson: { code: 'invalid', message: 'The request body is not valid JSON' },
  bodyTooLarge: { code: 'payload-too-large', message: 'The request body is too large' },
  notJson: { code: 'unsupported-media-type', message: 'The request body must be JSON' },
} as const satisfies Record<string, ApiError>

const apiErrorOfFrameworkCode: Readonly<Record<string, ApiError>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: frameworkErrors.invalidJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'invalid', message: 'The request body is incomplete' },
  FST_ERR_CTP_BODY_TOO_LARGE: frameworkErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: frameworkErrors.notJson,
  FST_ERR_BAD_URL: { code: 'invalid', message: 'The address is not valid' },
  // A path that no file can have.
  FST_STATIC_FORBIDDEN_PATH: apiErrors.unknownCall,
}

const apiErrorOfStatus: Readonly<Record<number, ApiError>> = {
  401: apiErrors.unauthenticated,
  403: apiErrors.forbidden,
  404: apiErrors.unknownCall,
  413: frameworkErrors.bodyTooLarge,
  415: frameworkErrors.notJson,
  429: { code: 'too-many-requests', message: 'Too many requests. Please try again in a moment.' },
}

const retryAfterOf = (reply: FastifyReply): number | undefined => {
  const seconds = Number(reply.getHeader('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** The API error for an error of Fastify or a plugin that the caller has caused; undefined for an internal one. */
const apiErrorOf = (error: Partial<FastifyError>, reply: FastifyReply): ApiError | undefined => {
  const known = apiErrorOfFrameworkCode[error.code ?? '']
  if (known) return known
  const status = error.statusCode ?? 500
  if (status < 400 || status >= 500) return undefined
  const apiError = apiErrorOfStatus[status] ?? apiErrors.invalid
  const retryAfterSeconds = apiError.code === 'too-many-requests' ? retryAfterOf(reply) : undefined
  return retryAfterSeconds === undefined ? apiError : { ...apiError, retryAfterSeconds }
}

/** Fastify's error handler: maps the framework's errors to API errors. Other errors are logged and sent without details. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const apiError = error instanceof Error ? apiErrorOf(error, reply) : undefined
  if (apiError) {
    sendApiError(request, reply, apiError)
    return
  }
  request.server.logFailure(request, error)
  const failure = failureOf(request, error)
  recordForSecurity(request, failure.code, failure.code)
  sendProblem(request, reply, failure)
}

const failureOf = ({ method, headers }: FastifyRequest, error: unknown): ApiError => {
  if (isOutcomeUnknown(error)) return apiErrorAfterSending({ method, headers })
  if (isWriteRefused(error) && method !== 'GET' && method !== 'HEAD') return apiErrors.cannotBeSaved
  return isTransient(error) ? apiErrors.unavailable : apiErrors.internal
}

/** Returns the error for a forwarded request whose response was lost: only a repeatable request may be retried. */
export const apiErrorAfterSending = (sent: Parameters<typeof isRepeatable>[0]) =>
  isRepeatable(sent) ? apiErrors.unavailable : apiErrors.unknownOutcome

/** Answers bytes that Node could not parse as a request, so there is no Fastify reply. */
export const handleConnectionError = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const apiError = apiErrorOfConnectionCode[error.code ?? ''] ?? {
    code: 'invalid',
    message: 'This is not an HTTP request',
  }
  const body = JSON.stringify({ success: false, ...apiError } satisfies Problem)
  const status = statusOf[apiError.code]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(apiSecurityHeaders).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

const apiErrorOfConnectionCode: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'invalid', message: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { code: 'payload-too-large', message: 'The request headers are too large' },
}

/** Sends a problem body for every error, including unknown routes. */
export const installProblems = (app: FastifyInstance): void => {
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => {
    sendApiError(request, reply, apiErrors.unknownCall)
  })
}
