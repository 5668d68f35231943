import type { ProblemCode } from '@portal/contracts/shared/problem'
import { keyUsedForAnotherRequest } from '@portal/contracts/shared/idempotency'
import { type AnyRoute, repeatsSafely, type RouteError } from '@portal/contracts/shared/route'
import { z } from 'zod'
import { headersOf } from './answer-once.ts'
import { apiErrors, frameworkErrors } from './problem.ts'

const isUsed = (schema: z.ZodType): boolean => !(schema instanceof z.ZodUnknown)

/** The errors that follow from method, access and schemas. */
const impliedErrors = (route: AnyRoute): readonly RouteError[] => {
  const { method, access, params, query, body } = route
  const isWrite = method !== 'GET'
  return [
    ...(isWrite ? [frameworkErrors.invalidJson] : []),
    ...(isUsed(body) ? [apiErrors.notAnObject] : []),
    ...([params, query, headersOf(route), body].some(isUsed) ? [apiErrors.invalid] : []),
    ...(repeatsSafely(route) ? [] : [keyUsedForAnotherRequest]),
    ...(access === 'public' ? [] : [apiErrors.unauthenticated]),
    ...(access === 'admin' ? [apiErrors.forbidden] : []),
    ...(isWrite ? [apiErrors.foreignOrigin] : []),
    apiErrors.httpsRequired,
    ...(isWrite ? [frameworkErrors.bodyTooLarge, frameworkErrors.notJson] : []),
    apiErrors.foreignHost,
    apiErrors.internal,
    apiErrors.unavailable,
    // Other methods can be repeated.
    ...(method === 'POST' ? [apiErrors.unknownOutcome] : []),
  ]
}

/** All errors that a route can answer with, those of its own rules first. Messages of limits and schemas are examples. */
export const documentedErrors = (route: AnyRoute): readonly RouteError[] => [
  ...(route.errors ?? []),
  ...impliedErrors(route),
]

/** These codes have a fixed set of messages on each route, so a message that is not declared is a mistake in the contract. */
const fixedMessages: ReadonlySet<ProblemCode> = new Set(['not-found', 'conflict'])

/** What the contract of the route lacks to document the error; undefined if it is documented. */
export const undocumented = (route: AnyRoute, { code, message }: RouteError): string | undefined => {
  const withCode = documentedErrors(route).filter((error) => error.code === code)
  if (withCode.length === 0)
    return `the contract of ${route.method} ${route.path} does not list errors with code '${code}'`
  if (!fixedMessages.has(code) || withCode.some((error) => error.message === message)) return undefined
  return `the contract of ${route.method} ${route.path} does not list the error '${message}'`
}
