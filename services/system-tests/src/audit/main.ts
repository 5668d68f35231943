import { allFailures, type AuditResult, tableOf } from './audit-result.ts'
import { audits, fullScale, quickScale, runAudit, runAuditOnOnePortal } from './run-audit.ts'

/**
 * `make audit` attacks portals that it starts on this machine, and prints a table. `QUICK=1` is the small run,
 * `ROWS=routes,sockets` selects audits, `SEED=7` changes the random input, `JSON=1` prints data. Exits with 1 if an
 * audit fails.
 */
const { QUICK, ROWS, SEED = '1', JSON: json } = process.env
const only = ROWS?.split(',').filter((name) => name !== '')
const unknown = (only ?? []).filter((name) => audits[name] === undefined)
if (unknown.length > 0) {
  process.stderr.write(`Unknown rows: ${unknown.join(', ')}. Known: ${Object.keys(audits).join(', ')}\n`)
  process.exit(1)
}
const seed = Number(SEED)
if (!Number.isSafeInteger(seed)) {
  process.stderr.write(`SEED must be a whole number, not "${SEED}"\n`)
  process.exit(1)
}
const failuresOf = (row: AuditResult): string =>
  allFailures(row)
    .map((line) => `${row.name}: ${line}\n`)
    .join('')

const isQuick = QUICK === '1'
const rows = await (isQuick ? runAuditOnOnePortal : runAudit)({
  scale: isQuick ? quickScale : fullScale,
  seed,
  only: only?.length === 0 ? undefined : only,
  say: (line) => void process.stderr.write(`${line}\n`),
})
if (json === '1') process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), seed, rows }, null, 2)}\n`)
else process.stdout.write(`${tableOf(rows)}\n${rows.map(failuresOf).join('')}`)
process.exit(rows.some((row) => allFailures(row).length > 0) ? 1 : 0)
