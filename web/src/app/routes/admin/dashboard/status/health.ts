import { z } from 'zod'
import { failureFrom, overNetwork, type Answer } from '../../../../../lib/http.ts'

/** What `/health` answers, as far as the dashboard shows it. It belongs to the gateway and is no route of the contracts. */
const healthSchema = z.object({
  parts: z.record(z.string(), z.enum(['ok', 'down'])),
  discontinuities: z.array(z.string()),
  unreadableEvents: z.array(z.string()),
})
export type Health = z.infer<typeof healthSchema>

const timeoutMs = 10_000

/** A proxy in front of a portal that is down answers with a page of its own. */
const jsonOf = async (response: Response): Promise<unknown> => {
  try {
    return await overNetwork(response.json())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A portal that is down answers 503 with the same report. */
export const loadHealth = async (signal: AbortSignal): Promise<Answer<Health>> => {
  try {
    const init = {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]),
    }
    const response = await overNetwork(fetch('/health', init))
    const report = healthSchema.safeParse(await jsonOf(response))
    if (report.success) return { success: true, data: report.data }
    return { success: false, message: `/health answered with status ${response.status}` }
  } catch (error) {
    if (signal.aborted) return { success: false, message: 'The call was aborted', isAborted: true }
    return failureFrom('/health', error)
  }
}
