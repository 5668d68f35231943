import { lineOrStack } from '@portal/platform/failure/for-people'
import { makeFilesPrivate } from '@portal/platform/runtime/private-files'

/** Runs a command: what a person can mend ends in its line and exit code 1, anything else with its stack. */
export const runEngineCommand = async (command: () => Promise<void>): Promise<void> => {
  makeFilesPrivate()
  try {
    await command()
  } catch (error) {
    process.stderr.write(`${lineOrStack(error)}\n`)
    process.exitCode = 1
  }
}
