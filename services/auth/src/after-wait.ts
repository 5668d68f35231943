import type { RouteError } from '@portal/contracts/shared/route'
import type { ApiError } from '@portal/platform/http/handler'
import { formatDuration } from '@portal/platform/limits/port'

/** The error of an exceeded limit, whose message says when to try again. */
export const afterWait = (error: (wait: string) => RouteError, retryAfterSeconds: number): ApiError => ({
  ...error(formatDuration(retryAfterSeconds)),
  retryAfterSeconds,
})
