import { z } from 'zod'
import type { BindRoute } from './handler.ts'
import { callerOf, type SecurityEventName, type SecurityLog } from '../security-log/security-log.ts'

const paramsSchema = z.union([
  z.object({ id: z.string() }).transform(({ id }) => id),
  z.object({ userId: z.string() }).transform(({ userId }) => userId),
])
const answerSchema = z.union([
  z.object({ notificationId: z.string() }).transform(({ notificationId }) => notificationId),
  z.object({ data: z.object({ _id: z.string() }) }).transform(({ data }) => data._id),
])

/** The id in the path, or the id of the created resource. */
const targetOf = (params: unknown, answer: unknown): string | undefined =>
  paramsSchema.safeParse(params).data ?? answerSchema.safeParse(answer).data

type RecordedCalls = {
  readonly event: SecurityEventName
  readonly methods: readonly string[]
  /** Marks accepted requests by their body, with a short constant. */
  readonly markOf?: (body: unknown) => string | undefined
}

/** Binds routes like `bind`, and records each result of a handler in the security log. HEAD answers with headers only and is no read. */
export const recordCalls =
  (bind: BindRoute, securityLog: SecurityLog, { event, methods, markOf }: RecordedCalls): BindRoute =>
  (app, route, handler) => {
    if (!methods.includes(route.method)) {
      bind(app, route, handler)
      return
    }
    bind(app, route, async (call) => {
      const result = await handler(call)
      if (call.request.method === 'HEAD') return result
      const caller = callerOf(call.request)
      if (result.ok) {
        const target = targetOf(call.params, result.value)
        securityLog.record({ event, result: 'ok', code: markOf?.(call.body), target, ...caller })
      } else {
        const { code } = result.error
        securityLog.record({ event, result: 'refused', code, target: targetOf(call.params, undefined), ...caller })
      }
      return result
    })
  }

export const writes = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Also POST, for filters that are too long for an address. */
export const reads = ['GET', 'POST'] as const
