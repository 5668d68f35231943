import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFolder } from './run-stage.ts'

/**
 * `make steady N=5 LOAD=1` runs `make test` N times, each time with the files in another order, and with LOAD=1 beside a process that
 * keeps one core busy. Exits with 1 if a test failed or was unstable in any run: it finds tests whose verdict depends on more than
 * the commit.
 */
const runs = Number(process.env['N'] ?? 5)
if (!Number.isInteger(runs) || runs < 1 || runs > 100) {
  process.stderr.write(`N is a number of runs from 1 to 100, not ${process.env['N']}\n`)
  process.exit(1)
}
const load =
  process.env['LOAD'] === '1' ? spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }) : undefined
process.on('exit', () => load?.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const orderOf = (run: number): string => ['', 'reverse'][run] ?? String(run)

const results: string[] = []
let isSteady = true
for (let run = 0; run < runs; run++) {
  const order = orderOf(run)
  process.stdout.write(`\nRun ${run + 1} of ${runs}, order ${order || 'as usual'}\n`)
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', 'tools/test/run.ts'], {
    stdio: 'inherit',
    env: { ...process.env, ORDER: order },
  })
  const [exitCode]: (number | null)[] = await once(child, 'exit')
  const unstable: unknown = JSON.parse(readFileSync(join(resultsFolder, 'unstable.json'), 'utf8'))
  const count = Array.isArray(unstable) ? unstable.length : 0
  isSteady &&= exitCode === 0 && count === 0
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  results.push(`run ${run + 1}: ${exitCode === 0 ? 'passed' : 'failed'}, ${count} unstable, ${minutes} min`)
}
process.stdout.write(`\n${results.join('\n')}\n${isSteady ? 'Steady.' : 'Not steady.'}\n`)
process.exit(isSteady ? 0 : 1)
