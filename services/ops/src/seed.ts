import { parseArgs } from 'node:util'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import { type Seeded, seededEmail } from '@portal/auth/seed/seed-learners'
import { buildServices, publishers } from '@portal/embedded/build-services'
import { openPorts } from '@portal/embedded/open-ports'
import { runServices } from '@portal/embedded/run-services'
import { type Config, loadConfig } from '@portal/platform/runtime/config'
import { openDataFolder } from '@portal/platform/runtime/data-folder'
import { createLogger } from '@portal/platform/runtime/logger'
import { stopInOrder } from '@portal/platform/runtime/shutdown'
import { systemSources as sources } from '@portal/platform/runtime/system-sources'
import { CommandError, runCommand } from './command.ts'

const mostLearners = 100_000
const stepTimeoutMs = 30_000

const learnersOf = (text: string): number => {
  const learners = Number(text)
  if (!/^\d{1,9}$/.test(text) || learners < 1 || learners > mostLearners) {
    throw new CommandError(`LEARNERS must be a whole number from 1 to ${mostLearners}, not "${text}"`)
  }
  return learners
}

/** Records the learners, then lets the projections run to the end, so that the portal starts as fast as ever. */
const fill = async (config: Config, count: number, password: string): Promise<Seeded> => {
  const logger = createLogger({ level: 'warn' })
  const ports = await openPorts({ config, publishers, sources, logger })
  let stopping = ports.closing
  try {
    const { auth, services } = buildServices({ config, ports, sources, logger })
    stopping = [{ name: auth.name, stop: auth.stop }, ...ports.closing]
    const seeded = await auth.seedLearners({ count, password })
    stopping = [...(await runServices(services, ports, logger)), ...ports.closing]
    return seeded
  } finally {
    await stopInOrder(stopping, stepTimeoutMs, logger)
  }
}

/** `make seed LEARNERS=1000`: a data folder with many learners, all with one password. Before `make run`. */
await runCommand(async () => {
  const { values } = parseArgs({ options: { learners: { type: 'string', default: process.env['LEARNERS'] || '100' } } })
  const learners = learnersOf(values.learners)
  const config = loadConfig(process.env)
  const dataFolder = openDataFolder(config.dataDir)
  try {
    const password = generatePassword()
    const { created, existing } = await fill(config, learners, password)
    const were = existing > 0 ? ` (${existing} of them were there already)` : ''
    process.stdout.write(
      `${created + existing} learners, ${seededEmail(1)} to ${seededEmail(learners)}${were}\nPassword: ${password}\n`,
    )
  } finally {
    dataFolder.release()
  }
})
