import type { UserId } from '@portal/contracts/shared/ids'
import type { ApiError } from '@portal/platform/http/handler'
import type { CampaignRejection } from './decider.ts'

/** A wrong selection can have thousands of ids; the first few tell enough. */
const namedIds = 10

const wrongRecipients = (message: string, userIds: readonly UserId[]): ApiError => {
  const named = userIds.slice(0, namedIds).join(', ')
  const more = userIds.length - namedIds
  return { code: 'invalid', message, errors: { userIds: more > 0 ? `${named} and ${more} more` : named } }
}

/** What an admin hears of a rejection. */
export const apiErrorOf = (rejection: CampaignRejection): ApiError => {
  switch (rejection.reason) {
    case 'key-used-for-another':
      return { code: 'conflict', message: 'This Idempotency-Key was used for another notification' }
    case 'nobody-selected':
      return { code: 'invalid', message: 'Please select at least one user' }
    case 'selected-twice':
      return wrongRecipients('Some users are selected more than once', rejection.userIds)
    case 'unknown-users':
      return wrongRecipients('Some selected users do not exist', rejection.userIds)
  }
}
