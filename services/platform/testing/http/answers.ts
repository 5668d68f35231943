import { type Problem, problemSchema } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { z } from 'zod'

/** What `app.inject` answers, as far as it is looked at. */
type Answer = { readonly statusCode: number; readonly body: string }

/** The body of a success, by the route's own schema; throws on anything else. */
export const answerOf = <R extends AnyRoute>(route: R, { statusCode, body }: Answer): z.output<R['response']> => {
  if (statusCode !== 200) throw new Error(`${route.path}: ${statusCode} ${body}`)
  // The route's own schema has just parsed it.
  return route.response.parse(JSON.parse(body)) as z.output<R['response']>
}

/** The status and body of a refusal; throws on a success. */
export const refusalBy = (route: AnyRoute, { statusCode, body }: Answer): Problem & { readonly status: number } => {
  if (statusCode < 400) throw new Error(`${route.path}: ${statusCode} ${body}`)
  return { status: statusCode, ...problemSchema.parse(JSON.parse(body)) }
}
