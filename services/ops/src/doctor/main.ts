import { existsSync } from 'node:fs'
import { ConfigError } from '@portal/platform/settings/config'
import { runCommand } from '../command.ts'
import { endNow, print, printable } from '../output/print.ts'
import { readingConfig } from '../settings/operator-config.ts'
import { checkAdmins } from './admins.ts'
import { checkBackups } from './backups.ts'
import { checkDataFolder } from './data-folder.ts'
import { checkEngines } from './engines.ts'
import { fail, type Findings } from './finding.ts'
import { checkInstallation } from './installation.ts'
import { checkProcesses } from './processes.ts'
import { checkSettings } from './settings.ts'

/** Whether this process runs in Docker, Podman or Kubernetes, where only the container network can connect. */
const isInContainer = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment['KUBERNETES_SERVICE_HOST'] !== undefined || existsSync('/.dockerenv') || existsSync('/run/.containerenv')

const checkPortal = async (): Promise<Findings> => {
  try {
    const config = await readingConfig(process.env)
    const found = await Promise.all([
      checkSettings(config, isInContainer(process.env)),
      checkDataFolder(config),
      checkEngines(config),
      checkProcesses(config),
      checkBackups(config),
      checkAdmins(config),
    ])
    return found.flat()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail('settings', error.message, 'correct them: see docs/settings.md')]
  }
}

const textOf = (findings: Findings): string => {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings
    .map(({ check, result, says, todo }) =>
      printable(`${result.padEnd(4)}  ${check.padEnd(width)}  ${says}${todo === undefined ? '' : `. Do: ${todo}`}`),
    )
    .join('\n')
}

/** `make doctor`: reports what is missing or misconfigured. Exit code 1 if something must be fixed. */
await runCommand(async () => {
  const findings = [...checkInstallation(), ...(await checkPortal())]
  const isWell = findings.every(({ result }) => result !== 'fail')
  print(process.env, { isWell, findings }, () => textOf(findings))
  if (!isWell) process.exitCode = 1
})
endNow()
