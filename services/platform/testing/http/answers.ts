import { type Problem, problemSchema } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { z } from 'zod'

/** The used part of a response of `app.inject`. */
type Answer = { readonly statusCode: number; readonly body: string }

/** The parsed body of a success; throws for other responses. */
export const answerOf = <R extends AnyRoute>(route: R, { statusCode, body }: Answer): z.output<R['response']> => {
  if (statusCode !== 200) throw new Error(`${route.path}: ${statusCode} ${body}`)
  // The cast is safe: the route's schema has parsed it.
  return route.response.parse(JSON.parse(body)) as z.output<R['response']>
}

/** The status and body of an error; throws for a success. */
export const refusalBy = (route: AnyRoute, { statusCode, body }: Answer): Problem & { readonly status: number } => {
  if (statusCode < 400) throw new Error(`${route.path}: ${statusCode} ${body}`)
  return { status: statusCode, ...problemSchema.parse(JSON.parse(body)) }
}

/** The rows with the messages of the real answers, to compare all at once. Each call is expected to be invalid. */
export const refusalsBy = async <Asked>(
  route: AnyRoute,
  rows: readonly (readonly [asked: Asked, message: string])[],
  ask: (asked: Asked) => Promise<Answer>,
): Promise<readonly (readonly [asked: Asked, message: string])[]> => {
  const answered: [asked: Asked, message: string][] = []
  for (const [asked] of rows) {
    const { status, code, message } = refusalBy(route, await ask(asked))
    answered.push([asked, status === 400 && code === 'invalid' ? message : `${status} ${code} ${message}`])
  }
  return answered
}
