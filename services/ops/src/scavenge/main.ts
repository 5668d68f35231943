import { performance } from 'node:perf_hooks'
import { recordOperation } from '@portal/platform/operations/record-operation'
import { runCommand, stopSignal } from '../command.ts'
import { endNow } from '../output/print.ts'
import { printResult, reportOwnSteps } from '../output/report-steps.ts'
import { operatorAndReason, operatorConfig } from '../settings/operator-config.ts'
import { scavengedText, scavengePortal, scavengeProgressText } from './scavenge-portal.ts'

/** `make scavenge`: removes keys of erased users from disk, and records the operation. See docs/eventstoredb.md. */
await runCommand(async () => {
  const { env } = process
  const config = await operatorConfig(env)
  const startedAtMs = performance.now()
  const steps = reportOwnSteps(env)
  const done = await scavengePortal(config, env['ADMIN_URL'] || undefined, {
    signal: stopSignal(),
    onProgress: (progress) => steps.report(progress, () => scavengeProgressText(progress)),
  }).finally(steps.end)
  const { at, nodes, erasedKeys, left } = done
  await recordOperation(config, {
    type: 'EventStoreScavenged',
    data: { ...operatorAndReason(env), what: { at, nodes: [...nodes], erasedKeys, left } },
  })
  const scavenged = { ...done, tookMs: Math.round(performance.now() - startedAtMs) }
  printResult(env, scavenged, () => scavengedText(scavenged))
})
endNow()
