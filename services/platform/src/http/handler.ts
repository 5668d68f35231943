import type { Problem, ProblemCode } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Result } from '../decider/decider.ts'
import type { EventMetadata } from '../event-store/port.ts'
import type { RequestCaller, Session } from '../session/session.ts'
import type { FileDownload } from './file-download.ts'
import type { ImmutableFile } from './immutable-file.ts'

/** Why a request was rejected. problem.ts maps the code to an HTTP status. */
export type ApiError = {
  readonly code: ProblemCode
  readonly message: string
  readonly errors?: Readonly<Record<string, string>>
  readonly retryAfterSeconds?: number
  readonly secondStep?: NonNullable<Problem['secondStep']>
}

/** The arguments of a handler: the parsed request, and the session if the route requires one. Some routes also allow API keys. */
export type Call<R extends AnyRoute> = {
  readonly params: z.output<R['params']>
  readonly query: z.output<R['query']>
  readonly headers: z.output<R['headers']>
  readonly body: z.output<R['body']>
  readonly session: 'public' extends R['access']
    ? Session | undefined
    : [Exclude<R['apiKey'], undefined>] extends [never]
      ? Session
      : RequestCaller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Handles a request. A returned string is the response body, already serialized as JSON. A route with a `contentType`
 * returns a FileDownload or an ImmutableFile.
 */
export type Handler<R extends AnyRoute> = (
  call: Call<R>,
) => Promise<Result<z.input<R['response']> | string | FileDownload | ImmutableFile, ApiError>>

/** Binds a handler to a contract, which defines validation, session, role, CSRF check, status and OpenAPI. */
export type BindRoute = <R extends AnyRoute>(app: FastifyInstance, route: R, handler: Handler<R>) => void

/** The event metadata of a request: its id, the user if known, and the user's API key if a program made it. */
export const metadataOf = ({
  session,
  request,
}: {
  readonly session?: RequestCaller | undefined
  readonly request: { readonly id: string }
}): EventMetadata => ({
  correlationId: request.id,
  ...(session && { actorId: session.userId }),
  ...(session?.apiKeyId !== undefined && { apiKeyId: session.apiKeyId }),
})
