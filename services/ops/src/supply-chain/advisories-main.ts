import { spawnSync } from 'node:child_process'
import { runCommand } from '../command.ts'
import { type Advisory, type AuditReport, readAuditReport } from './audit-report.ts'

const found = 1
const notChecked = 2
const timeoutMs = 120_000

/** npm comes with the machine's Node.js; it exits with 1 when there are advisories, and still prints them. */
const audit = (...options: readonly string[]): AuditReport => {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', ...options], { encoding: 'utf8', timeout: timeoutMs })
  return error ? { kind: 'not-checked', reason: error.message } : readAuditReport(stdout)
}

const lineOf = ({ component, severity, range, titles }: Advisory, where: string): string =>
  `${severity}  ${component} ${range}  (${where})\n${titles.map((title) => `  ${title}\n`).join('')}`

const saysNothing = (reason: string): void => {
  process.stderr.write(`nothing was checked: the registry offers no advisories (${reason})\n`)
  process.exitCode = notChecked
}

/** `make advisories`: 0 when the registry knows of none, 1 when it does, 2 when it was not possible to ask. */
await runCommand(() => {
  const all = audit()
  if (all.kind === 'not-checked') return saysNothing(all.reason)
  const production = audit('--omit=dev')
  if (production.kind === 'not-checked') return saysNothing(production.reason)
  const inProduction = new Set(production.advisories.map(({ component }) => component))
  for (const advisory of all.advisories) {
    process.stdout.write(lineOf(advisory, inProduction.has(advisory.component) ? 'production' : 'tools and tests'))
  }
  process.stdout.write(`${all.advisories.length} components with advisories, ${inProduction.size} in production\n`)
  if (all.advisories.length > 0) process.exitCode = found
})
