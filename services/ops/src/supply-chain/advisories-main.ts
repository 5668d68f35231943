import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { runCommand } from '../command.ts'
import { type Advisory, type AuditReport, readAuditReport } from './audit-report.ts'

const found = 1
const notChecked = 2
const timeoutMs = 120_000

/** Uses the npm of the installed Node.js. With advisories, it exits with 1 and still prints them. */
const audit = (...options: readonly string[]): AuditReport => {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', ...options], { encoding: 'utf8', timeout: timeoutMs })
  return error ? { kind: 'not-checked', reason: error.message } : readAuditReport(stdout)
}

const lineOf = ({ component, severity, range, titles }: Advisory, where: string): string =>
  `${severity}  ${component} ${range}  (${where})\n${titles.map((title) => `  ${title}\n`).join('')}`

/** Continuous integration cannot choose its registry, so there it is a warning. GitHub shows it beside the run. */
const reportNotChecked = (reason: string, isWarning: boolean): void => {
  const prefix = process.env['GITHUB_ACTIONS'] === 'true' ? '::warning::' : 'warning: '
  process.stderr.write(`${isWarning ? prefix : ''}advisories not checked: the registry offers none (${reason})\n`)
  if (!isWarning) process.exitCode = notChecked
}

/** `make advisories`: exit code 0 without advisories, 1 with advisories, 2 if they could not be checked, or 0 with --unchecked=warn. */
await runCommand(() => {
  const { values } = parseArgs({ options: { unchecked: { type: 'string' } } })
  const warnsOnly = values.unchecked === 'warn'
  const all = audit()
  if (all.kind === 'not-checked') return reportNotChecked(all.reason, warnsOnly)
  const production = audit('--omit=dev')
  if (production.kind === 'not-checked') return reportNotChecked(production.reason, warnsOnly)
  const inProduction = new Set(production.advisories.map(({ component }) => component))
  for (const advisory of all.advisories) {
    process.stdout.write(lineOf(advisory, inProduction.has(advisory.component) ? 'production' : 'tools and tests'))
  }
  process.stdout.write(`${all.advisories.length} components with advisories, ${inProduction.size} in production\n`)
  if (all.advisories.length > 0) process.exitCode = found
})
