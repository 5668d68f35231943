import { ConfigError } from '@portal/platform/runtime/config'
import { DataFolderError } from '@portal/platform/runtime/data-folder'

/** What the person at the keyboard can mend. The message is one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

const isForPeople = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof ConfigError || error instanceof DataFolderError

/** Runs a command: what a person can mend ends in one line and exit code 1, anything else with its stack. */
export const runCommand = async (command: () => Promise<void> | void): Promise<void> => {
  try {
    await command()
  } catch (error) {
    process.stderr.write(
      isForPeople(error) ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`,
    )
    process.exitCode = 1
  }
}
