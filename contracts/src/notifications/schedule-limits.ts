/** Apart from the other limits, which every page loads. */
export const scheduleLimits = {
  /** Scheduled sends of all admins, with missed ones. */
  sends: 200,
  /** What a send is scheduled for must be so much later. */
  aheadMs: 60_000,
  aheadMonths: 12,
  /** Users whom a scheduled send names one by one. */
  namedUsers: 20_000,
} as const
