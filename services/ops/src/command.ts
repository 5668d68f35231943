import { messageOrStack } from '@portal/platform/errors/error-kinds'
import { makeFilesPrivate } from '@portal/platform/files/data-folder'

/** An error that the operator can fix. The message is one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly isUserFacing = true
}

/** The reader may close the pipe early, as `head` does. */
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error
})

/** Runs a command. A user-facing error prints one line, any other error its stack; both set exit code 1. */
export const runCommand = async (command: () => Promise<void> | void): Promise<void> => {
  makeFilesPrivate()
  try {
    await command()
  } catch (error) {
    process.stderr.write(`${messageOrStack(error)}\n`)
    process.exitCode = 1
  }
}

/** Aborts on SIGINT or SIGTERM, so that the command can clean up. A second signal exits at once. */
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
  constructor(message = 'Canceled. The portal is unchanged') {
    super(message)
  }
}
