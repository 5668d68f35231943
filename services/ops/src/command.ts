/** What the person at the keyboard can mend. The message is one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Told by name, so that a command need not load the parts that the others come from. */
const forPeople: ReadonlySet<string> = new Set([
  'CommandError',
  'ConfigError',
  'DataFolderError',
  'MasterKeyError',
  'ReadModelSealedError',
  'UnknownPositionError',
])

const isForPeople = (error: unknown): error is Error => error instanceof Error && forPeople.has(error.name)

/** Whoever reads may have read enough, as `head` does. */
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error
})

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
