import { performance } from 'node:perf_hooks'
import { mostReasonChars, operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import { runCommand, stopSignal } from '../command.ts'
import { endNow, isForPrograms as forPrograms } from '../output/print.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { reportScavenge, scavengedText } from './present-scavenge.ts'
import { scavengePortal } from './scavenge-portal.ts'

/** `make scavenge`: removes erased users' keys from the disk, and records that. See docs/eventstoredb.md. */
await runCommand(async () => {
  const { env } = process
  const isForPrograms = forPrograms(env)
  const config = await operatorConfig(env)
  const begunMs = performance.now()
  const progress = reportScavenge(isForPrograms ? process.stdout : process.stderr, isForPrograms, () =>
    performance.now(),
  )
  const waiting = { signal: stopSignal(), onProgress: progress.onProgress }
  const done = await scavengePortal(config, env['ADMIN_URL'] || undefined, waiting).finally(progress.end)
  const reason = (env['REASON'] ?? '').trim().slice(0, mostReasonChars)
  const { at, nodes, erasedKeys, left } = done
  await recordOperation(config, {
    type: 'EventStoreScavenged',
    data: {
      by: operatorName(),
      ...(reason !== '' && { reason }),
      what: { at, nodes: [...nodes], erasedKeys, left },
    },
  })
  const scavenged = { ...done, tookMs: Math.round(performance.now() - begunMs) }
  const text = isForPrograms ? JSON.stringify({ step: 'done', ...scavenged }) : scavengedText(scavenged)
  process.stdout.write(`${text}\n`)
})
endNow()
