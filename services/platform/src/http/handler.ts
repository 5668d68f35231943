import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Result } from '../decider/decider.ts'
import type { EventMetadata } from '../event-store/port.ts'
import type { Session } from '../session/session.ts'

/** Why a request was refused, in the caller's words. problem.ts turns the code into a status. */
export type ApiError = {
  readonly code: ProblemCode
  readonly message: string
  readonly errors?: Readonly<Record<string, string>>
  readonly retryAfterSeconds?: number
}

/** What a handler gets: everything parsed, and the session where the route asks for one. */
export type Call<R extends AnyRoute> = {
  readonly params: z.output<R['params']>
  readonly query: z.output<R['query']>
  readonly headers: z.output<R['headers']>
  readonly body: z.output<R['body']>
  readonly session: 'public' extends R['access'] ? Session | undefined : Session
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Answers a call. A string is an already serialized JSON body of the route's response. */
export type Handler<R extends AnyRoute> = (call: Call<R>) => Promise<Result<z.input<R['response']> | string, ApiError>>

/** Binds a contract to a handler: validation, session, role, origin check, status and OpenAPI follow from the route. */
export type BindRoute = <R extends AnyRoute>(app: FastifyInstance, route: R, handler: Handler<R>) => void

/** What goes on record about the call that led to a change: which it was, and whose, where that is known. */
export const metadataOf = ({
  session,
  request,
}: {
  readonly session?: Session | undefined
  readonly request: { readonly id: string }
}): EventMetadata => ({
  correlationId: request.id,
  ...(session && { actorId: session.userId }),
})
