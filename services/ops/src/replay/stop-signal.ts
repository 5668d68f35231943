/** Aborts on Ctrl-C and on being told to stop: then all is put back before the process ends. A second time ends it at once. */
export const stopSignal = (message?: string): AbortSignal => {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort(new StoppedError(message))
    })
  }
  return controller.signal
}

export class StoppedError extends Error {
  override readonly name = 'StoppedError'
  readonly isUserFacing = true
  constructor(message = 'Stopped; what served goes on serving') {
    super(message)
  }
}
