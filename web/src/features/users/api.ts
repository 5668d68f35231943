import { listUsers } from '@portal/contracts/auth/http'
import { call } from '../../lib/http.ts'

/** All users, by name. For admins. */
export const loadUsers = (signal: AbortSignal) => call(listUsers, { signal })
