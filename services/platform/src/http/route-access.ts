import type { Access } from '@portal/contracts/shared/route'
import type { Session } from '../session/session.ts'
import type { Refusal } from './handler.ts'
import { refusals } from './problem.ts'

/** Why the caller may not use a route with this access declaration; undefined when they may. */
export const refusalOfAccess = (access: Access, session: Pick<Session, 'role'> | undefined): Refusal | undefined => {
  if (access === 'public') return undefined
  if (!session) return refusals.unauthenticated
  return access === 'admin' && session.role !== 'admin' ? refusals.forbidden : undefined
}
