import type { UserId } from '@portal/contracts/shared/ids'
import { campaignDecider } from '../src/campaign/decider.ts'
import type { MemoryLog } from './memory-log.ts'
import { someText, userIdAt } from './samples.ts'

/** Records the n-th send, as the decider has it. */
export const recordSend = (log: Pick<MemoryLog, 'append'>, n: number, userIds: readonly UserId[]): void => {
  const text = someText(n)
  const decided = campaignDecider.decide(
    { type: 'SendCampaign', text, sentBy: userIdAt(0), userIds, knownUserIds: new Set(userIds) },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(decided.error.reason)
  log.append(`campaign-${text.notificationId}`, ...decided.value)
}
