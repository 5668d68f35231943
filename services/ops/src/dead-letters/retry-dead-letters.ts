import type { Operation } from '@portal/platform/operations/operation'
import type { Projection } from '@portal/platform/projection/projection'
import { retryDeadLetters as retryProjection } from '@portal/platform/projection/retry-dead-letters'
import { createLogger } from '@portal/platform/observability/logger'
import type { ServingReadModels } from '../settings/serving-read-models.ts'

export type Retried = { readonly projection: string; readonly applied: number; readonly failed: number }

type Options = {
  readonly readModels: ServingReadModels
  readonly chosen: readonly Projection[]
  readonly limit: number
  readonly by: string
  readonly reason?: string
  /** Told in the end what was done, also when something broke off in between. */
  readonly record: (operation: Operation) => Promise<unknown>
}

/** Tries parked messages again, projection by projection, oldest first, at most `limit` in all. Safe beside a running portal. */
export const retryDeadLetters = async (options: Options): Promise<readonly Retried[]> => {
  const { readModels, chosen, limit, by, reason, record } = options
  const logger = createLogger({ level: 'warn' })
  const done: Retried[] = []
  const tried = () => done.reduce((sum, { applied, failed }) => sum + applied + failed, 0)
  try {
    for (const projection of chosen) {
      const serving = tried() < limit ? await readModels.of(projection) : undefined
      if (!serving) continue
      const { readModel } = serving
      const { applied, failed } = await retryProjection({ projection, readModel, logger, limit: limit - tried() })
      if (applied + failed.length > 0) done.push({ projection: projection.name, applied, failed: failed.length })
    }
  } finally {
    const sum = (of: 'applied' | 'failed') => done.reduce((total, retried) => total + retried[of], 0)
    const projections = done.map(({ projection }) => projection)
    const what = { projections, limit, applied: sum('applied'), failed: sum('failed') }
    await record({ type: 'DeadLettersRetried', data: { by, ...(reason !== undefined && { reason }), what } })
  }
  return done
}
