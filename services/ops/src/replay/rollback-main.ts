import { rollback } from '@portal/platform/generations/rollback'
import { runCommand, stopSignal } from '../command.ts'
import { endNow, print } from '../output/print.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { openReplayPorts, requireOwnLog } from './open-replay-ports.ts'
import { rollbackText } from './present-replay.ts'
import { recordSwitches } from './record-switches.ts'
import { chosenProjections } from './replayed-projections.ts'

/** `make replay-back`: activates the generations before the last replay, which have stayed up to date. */
await runCommand(async () => {
  const config = await operatorConfig(process.env)
  const projections = chosenProjections(process.env)
  const ports = await openReplayPorts(config)
  try {
    await requireOwnLog(config, ports)
    const results = await rollback({ ...ports, projections, signal: stopSignal() })
    await recordSwitches(config, process.env, 'replay-back', results)
    print(process.env, results, () => rollbackText(results))
  } finally {
    await ports.close()
  }
})
endNow()
