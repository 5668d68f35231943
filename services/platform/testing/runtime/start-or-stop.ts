import type { PortalProcess } from '@portal/platform/runtime/portal-process'
import { stopInOrder } from '@portal/platform/runtime/shutdown'

const stepTimeoutMs = 5_000

/** Runs `start`. If it fails, runs the stop steps and rejects with the error, as `runProcess` exits. */
export const startOrStop = async <S>(process: PortalProcess, start: () => Promise<S>): Promise<S> => {
  try {
    return await start()
  } catch (error) {
    await stopInOrder(process.stopSteps, stepTimeoutMs, process.logger)
    throw error
  }
}
