import type { Problem, ProblemCode } from '@portal/contracts/shared/problem'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { z } from 'zod'
import { documentedErrors } from './documented-errors.ts'
import { sampleOf } from './openapi-samples.ts'
import { httpStatusOf } from './problem.ts'

/** What a status means on every route. */
const meanings: Readonly<Record<ProblemCode, string>> = {
  invalid: 'Invalid request',
  unauthenticated: 'Not logged in',
  forbidden: 'Not allowed',
  'second-factor-required': 'Takes a proof of the second factor, too',
  'not-found': 'Not found',
  conflict: 'Conflict with the current state',
  'too-many-requests': 'Limit exceeded. Retry after the number of seconds in Retry-After, if it is present',
  'payload-too-large': 'Request too large',
  'unsupported-media-type': 'The request is not JSON',
  misdirected: 'The Host header does not name the portal',
  unavailable: 'Temporarily unavailable. Retry',
  'unknown-outcome': 'No answer in time. Check whether the call took effect before retrying',
  internal: 'Unexpected error',
}

const retryAfter = { 'retry-after': { description: 'Seconds', schema: { type: 'integer' } } }

const problemReference = { $ref: '#/components/schemas/Problem' }

/** The error responses of a route by status, each with its messages as examples. */
const errorAnswersOf = (route: AnyRoute): Readonly<Record<string, object>> => {
  const byStatus = Map.groupBy(documentedErrors(route), ({ code }) => httpStatusOf(code))
  const answers = [...byStatus].map(([status, errors]): [string, object] => {
    const examples = errors.map(({ code, message }): [string, { value: Problem }] => [
      message,
      { value: { success: false, code, message } },
    ])
    const codes = new Set(errors.map(({ code }) => code))
    const answer = {
      description: [...codes].map((code) => meanings[code]).join('. '),
      ...(codes.has('too-many-requests') && { headers: retryAfter }),
      content: { 'application/json': { schema: problemReference, examples: Object.fromEntries(examples) } },
    }
    return [String(status), answer]
  })
  return Object.fromEntries(answers)
}

const operationSchema = z.looseObject({
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })).optional() }),
  ),
})

/** Adds the errors of the route and a sample of each body to an operation of the document. */
export const completeOperation = (given: unknown, route: AnyRoute): object => {
  const operation = operationSchema.parse(given)
  const { requestBody, responses } = operation
  const success = responses['200']
  const json = requestBody?.content['application/json']
  const answer = success?.content?.['application/json']
  return {
    ...operation,
    ...(json && {
      requestBody: {
        ...requestBody,
        content: { 'application/json': { ...json, example: sampleOf(json.schema, 'request') } },
      },
    }),
    responses: {
      200: {
        ...success,
        description: route.contentType === undefined ? 'Success' : 'The file',
        ...(answer && { content: { 'application/json': { ...answer, example: sampleOf(answer.schema, 'answer') } } }),
      },
      ...errorAnswersOf(route),
    },
  }
}
