import type { CampaignRecipient } from '@portal/contracts/notifications/http'

type SteadyRows = {
  readonly rows: readonly CampaignRecipient[]
  /** Whether a fresh list would have other rows, or another order. */
  readonly hasChanged: boolean
}

/**
 * Updates rows in place: a row never moves, appears or disappears under the reader. `latest` is a later answer to the
 * same query. A row that it lacks keeps what was last known.
 */
export const keepSteady = (shown: readonly CampaignRecipient[], latest: readonly CampaignRecipient[]): SteadyRows => {
  const known = new Map(latest.map((row) => [row.userId, row]))
  return {
    rows: shown.map((row) => known.get(row.userId) ?? row),
    hasChanged: shown.length !== latest.length || shown.some(({ userId }, index) => latest[index]?.userId !== userId),
  }
}
