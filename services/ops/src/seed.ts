import { parseArgs } from 'node:util'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import { seededEmail } from '@portal/auth/seed/seed-learners'
import { fillDataFolder } from '@portal/embedded/fill-data-folder'
import { loadConfig } from '@portal/platform/runtime/config'
import { openDataFolder } from '@portal/platform/runtime/data-folder'
import { createLogger } from '@portal/platform/runtime/logger'
import { CommandError, runCommand } from './command.ts'

const mostLearners = 100_000

const learnersOf = (text: string): number => {
  const learners = Number(text)
  if (!/^\d{1,9}$/.test(text) || learners < 1 || learners > mostLearners) {
    throw new CommandError(`LEARNERS must be a whole number from 1 to ${mostLearners}, not "${text}"`)
  }
  return learners
}

/** `make seed LEARNERS=1000`: a data folder with many learners, all with one password. Before `make run`. */
await runCommand(async () => {
  const { values } = parseArgs({ options: { learners: { type: 'string', default: process.env['LEARNERS'] || '100' } } })
  const count = learnersOf(values.learners)
  const config = loadConfig(process.env)
  const dataFolder = openDataFolder(config.dataDir)
  try {
    const password = generatePassword()
    const { created, existing } = await fillDataFolder(config, { count, password }, createLogger({ level: 'warn' }))
    const were = existing > 0 ? ` (${existing} of them were there already)` : ''
    process.stdout.write(
      `${created + existing} learners, ${seededEmail(1)} to ${seededEmail(count)}${were}\nPassword: ${password}\n`,
    )
  } finally {
    dataFolder.release()
  }
})
