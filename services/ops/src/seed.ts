import { parseArgs } from 'node:util'
import { generatePassword } from '@portal/auth/passwords/generate-password'
import { seededLines, defaultLearnerCount } from '@portal/sample-data/seed-portal'
import { seedDataFolder } from '@portal/standalone/seed-data-folder'
import { loadConfig } from '@portal/platform/settings/config'
import { requireOwnFiles } from '@portal/platform/files/own-files'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { createLogger } from '@portal/platform/observability/logger'
import { requireLocalStorage } from '@portal/platform/files/local-storage'
import { wrapDiskErrors } from './backup/disk-errors.ts'
import { CommandError, runCommand } from './command.ts'
import { endNow } from './output/print.ts'

const maxLearners = 100_000

const learnersOf = (text: string): number => {
  const learners = Number(text)
  if (!/^\d{1,9}$/.test(text) || learners < 1 || learners > maxLearners) {
    throw new CommandError(`LEARNERS must be a whole number from 1 to ${maxLearners}, not "${text}"`)
  }
  return learners
}

const isSampleWanted = (text: string): boolean => {
  if (text === '0' || text === '1') return text === '1'
  throw new CommandError(`SAMPLE must be 1, or 0 for learners only, not "${text}"`)
}

/** The command that starts a portal with this data. */
const nextStep = (dataDir = ''): string => `\nNow: make run${dataDir === '' ? '' : ` DATA_DIR=${dataDir}`}`

/**
 * `make seed LEARNERS=1000`: fills a data folder with sample data for every screen. All accounts have the same password. Run it before
 * `make run`. SAMPLE=0 creates only learners with empty inboxes.
 */
await runCommand(async () => {
  const { LEARNERS, SAMPLE } = process.env
  const { values } = parseArgs({
    options: { learners: { type: 'string', default: LEARNERS || String(defaultLearnerCount) } },
  })
  const learners = learnersOf(values.learners)
  const withSample = isSampleWanted(SAMPLE || '1')
  const config = loadConfig(process.env)
  if (config.environment === 'production')
    throw new CommandError('make seed is not allowed with NODE_ENV=production, because its accounts share one password')
  requireLocalStorage(config)
  requireOwnFiles(config.dataDir)
  const dataFolder = openDataFolder(config.dataDir)
  try {
    const request = { learners, password: generatePassword(), withSample }
    const seeded = await wrapDiskErrors(config.dataDir, () =>
      seedDataFolder(config, request, createLogger({ level: 'error' })),
    )
    process.stdout.write(`${[...seededLines(seeded), nextStep(process.env['DATA_DIR'])].join('\n')}\n`)
  } finally {
    dataFolder.release()
  }
})
endNow()
