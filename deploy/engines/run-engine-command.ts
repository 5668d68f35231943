import { DataFolderError } from '@portal/platform/runtime/data-folder'
import { EngineError } from './engine.ts'

/** Runs a command: what a person can mend ends in its line and exit code 1, anything else with its stack. */
export const runEngineCommand = async (command: () => Promise<void>): Promise<void> => {
  try {
    await command()
  } catch (error) {
    const isForPeople = error instanceof EngineError || error instanceof DataFolderError
    process.stderr.write(`${isForPeople ? error.message : error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
  }
}
