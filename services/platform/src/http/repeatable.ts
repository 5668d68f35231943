import type { IncomingHttpHeaders } from 'node:http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'

type Sent = { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders }

/** Whether a request that was sent may be sent again when its answer was lost: all but a POST without an Idempotency-Key. */
export const isRepeatable = ({ method, headers }: Sent): boolean =>
  method !== 'POST' || headers[idempotencyKeyHeader] !== undefined
