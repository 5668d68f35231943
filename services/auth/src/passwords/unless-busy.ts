import { rejected, type Result } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'
import { PasswordsBusyError } from './worker-pool.ts'

export const busy: ApiError = {
  code: 'unavailable',
  message: 'The portal is very busy right now. Please try again in a moment.',
}

/** The outcome of work that hashes or checks a password: refused when too many wait for that. */
export const unlessBusy = async <T>(work: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PasswordsBusyError) return rejected(busy)
    throw error
  }
}
