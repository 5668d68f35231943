import { runCommand } from '../command.ts'
import { endNow, print } from '../output/print.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { collectStatus } from './collect-status.ts'
import { statusText } from './present-status.ts'

/** `make status`: reports engines, consumers and processes. Exit code 1 if one is down or more than a minute behind. */
await runCommand(async () => {
  const status = await collectStatus(await operatorConfig(process.env), new Date())
  print(process.env, status, () => statusText(status))
  if (!status.isHealthy) process.exitCode = 1
})
endNow()
