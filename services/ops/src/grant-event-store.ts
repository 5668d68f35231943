import { accessErrorOf } from '@portal/platform/event-store/eventstoredb/access-error'
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
  const at = displayAddressOf(url)
  const granted = await grantReadingAll(url, user).catch((cause: unknown) => {
    const access = accessErrorOf(cause, 'ADMIN_URL', 'name a user of $admins')
    throw new CommandError(access?.message ?? `EventStoreDB at ${at} did not grant it: ${errorLine(cause, url)}`, {
      cause,
    })
  })
  if (granted === 'no-such-user')
    throw new CommandError(`EventStoreDB at ${at} has no user ${user}: create it first, see docs/eventstoredb.md`)
  process.stdout.write(`The user ${user} may read $all at ${at}. make doctor checks all rights.\n`)
})
endNow()
