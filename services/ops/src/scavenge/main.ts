import { recordOperation } from '@portal/platform/operations/record-operation'
import { runCommand } from '../command.ts'
import { endNow } from '../output/print.ts'
import { printResult } from '../output/report-steps.ts'
import { operatorAndReason, operatorConfig } from '../settings/operator-config.ts'
import { scavengedText, scavengePortal } from './scavenge-portal.ts'

/** `make scavenge`: removes keys of erased users from disk, and records the operation. See docs/eventstoredb.md. */
await runCommand(async () => {
  const { env } = process
  const config = await operatorConfig(env)
  const scavenged = await scavengePortal(config, env['ADMIN_URL'] || undefined)
  const what = { ...scavenged, nodes: [...scavenged.nodes] }
  await recordOperation(config, { type: 'EventStoreScavenged', data: { ...operatorAndReason(env), what } })
  printResult(env, scavenged, () => scavengedText(scavenged))
})
endNow()
