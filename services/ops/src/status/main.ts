import { runCommand } from '../command.ts'
import { endNow, isOn, print } from '../output/print.ts'
import { readingConfig } from '../settings/operator-config.ts'
import { collectStatus } from './collect-status.ts'
import { statusText } from './present-status.ts'

/** `make status`: reports engines, consumers and processes. V=1 adds generations and positions. Exit code 1 if one is down, or late and not catching up. */
await runCommand(async () => {
  const status = await collectStatus(await readingConfig(process.env), new Date())
  print(process.env, status, () => statusText(status, isOn(process.env, 'V')))
  if (!status.isHealthy) process.exitCode = 1
})
endNow()
