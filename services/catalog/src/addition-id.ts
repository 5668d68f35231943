import { idempotencyKeyHeader, type idempotencyHeaders } from '@portal/contracts/shared/idempotency'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Session } from '@portal/platform/session/session'
import type { z } from 'zod'

type KeyedCall = { readonly session: Session; readonly headers: z.output<typeof idempotencyHeaders> }

/**
 * The id of what a call adds. With an Idempotency-Key the same person's next try leads to the same id, by which it is recognised.
 */
export const additionId = (
  call: KeyedCall,
  { newId }: Pick<ClockAndIds, 'newId'>,
  ...to: readonly string[]
): string => {
  const key = call.headers[idempotencyKeyHeader]
  return key === undefined ? newId() : deterministicEventId(...to, call.session.userId, key)
}
