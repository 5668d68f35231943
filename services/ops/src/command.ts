import { messageOrStack } from '@portal/platform/errors/error-kinds'
import { makeFilesPrivate } from '@portal/platform/files/data-folder'

/** What the person at the keyboard can mend. The message is one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly isUserFacing = true
}

/** Whoever reads may have read enough, as `head` does. */
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error
})

/** Runs a command: what a person can mend ends in one line and exit code 1, anything else with its stack. */
export const runCommand = async (command: () => Promise<void> | void): Promise<void> => {
  makeFilesPrivate()
  try {
    await command()
  } catch (error) {
    process.stderr.write(`${messageOrStack(error)}\n`)
    process.exitCode = 1
  }
}

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

class StoppedError extends Error {
  override readonly name = 'StoppedError'
  readonly isUserFacing = true
  constructor(message = 'Stopped; what served goes on serving') {
    super(message)
  }
}
