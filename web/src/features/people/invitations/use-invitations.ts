import { listInvitations, type Invitation } from '@portal/contracts/auth/invitations'
import { call, type Answer } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'

const requestInvitations = async (signal: AbortSignal): Promise<Answer<readonly Invitation[]>> => {
  const answer = await call(listInvitations, { signal })
  return answer.success ? { success: true, data: answer.data.invitations } : answer
}

/** The open invitations of all admins, the newest first. */
export const useInvitations = () => useRequestQuery({ key: ['invitations'], request: requestInvitations })
