import type { ApiKeyRight } from '@portal/contracts/auth/api-key-rights'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { RequestCaller } from '../session/session.ts'
import type { ApiError } from './handler.ts'
import { apiErrors } from './problem.ts'

/** The error for a caller without the required access; undefined if access is granted. */
export const apiErrorOfAccess = (
  { access, apiKey }: Pick<AnyRoute, 'access' | 'apiKey'>,
  session: (Pick<RequestCaller, 'role'> & { readonly rights?: readonly ApiKeyRight[] }) | undefined,
): ApiError | undefined => {
  if (access === 'public') return undefined
  if (!session) return apiErrors.unauthenticated
  // Stryker disable next-line ConditionalExpression: no key has the right of no name; the condition is for the types
  if (session.rights && (apiKey === undefined || !session.rights.includes(apiKey))) return apiErrors.apiKeyForbidden
  return access === 'admin' && session.role !== 'admin' ? apiErrors.forbidden : undefined
}
