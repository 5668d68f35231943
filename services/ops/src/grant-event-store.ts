import { grantReadingAll } from '@portal/platform/operations/inspect-event-store'
import { CommandError, runCommand } from './command.ts'
import { endNow } from './output/print.ts'
import { errorLine, displayAddressOf } from './settings/engine-addresses.ts'

/** `make grant-event-store`: grants the portal's user read access to $all, which only administrators have. See docs/eventstoredb.md. */
await runCommand(async () => {
  const { ADMIN_URL: url = '', USER_NAME: user = '' } = process.env
  if (!/^esdb(\+discover)?:\/\//.test(url))
    throw new CommandError(
      'ADMIN_URL must be the address of EventStoreDB with an administrator: esdb://admin:…@host:2113',
    )
  if (!/^[^\s$][^\s]{0,199}$/.test(user))
    throw new CommandError('USER_NAME must be the user that EVENT_STORE_URL names')
  try {
    await grantReadingAll(url, user)
  } catch (cause) {
    throw new CommandError(`EventStoreDB at ${displayAddressOf(url)} did not grant it: ${errorLine(cause, url)}`, {
      cause,
    })
  }
  process.stdout.write(`The user ${user} may read $all at ${displayAddressOf(url)}. make doctor checks all rights.\n`)
})
endNow()
