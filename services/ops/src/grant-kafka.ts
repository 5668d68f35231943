import { createLogger } from '@portal/platform/observability/logger'
import { grantKafkaRights, kafkaUserNames } from '@portal/platform/operations/grant-kafka-rights'
import { loadConfig } from '@portal/platform/settings/config'
import { CommandError, runCommand } from './command.ts'
import { endNow } from './output/print.ts'
import { displayAddressOf, errorLine } from './settings/engine-addresses.ts'

/** Grants the users of Kafka their rights. BUS_URL names a super user. `make up` runs it; see docs/kafka.md. */
await runCommand(async () => {
  const { busUrl, logLevel } = loadConfig(process.env)
  if (!busUrl.startsWith('kafka')) throw new CommandError('BUS_URL must be the address of Kafka with a super user')
  await grantKafkaRights(busUrl, createLogger({ level: logLevel })).catch((cause: unknown) => {
    throw new CommandError(`Kafka did not grant the rights: ${errorLine(cause, busUrl)}`, { cause })
  })
  process.stdout.write(`${kafkaUserNames.join(', ')} have their rights at ${displayAddressOf(busUrl)}\n`)
})
endNow()
