import type { Access } from '@portal/contracts/shared/route'
import type { Session } from '../session/session.ts'
import type { ApiError } from './handler.ts'
import { apiErrors } from './problem.ts'

/** Why the caller may not use a route with this access declaration; undefined when they may. */
export const apiErrorOfAccess = (access: Access, session: Pick<Session, 'role'> | undefined): ApiError | undefined => {
  if (access === 'public') return undefined
  if (!session) return apiErrors.unauthenticated
  return access === 'admin' && session.role !== 'admin' ? apiErrors.forbidden : undefined
}
