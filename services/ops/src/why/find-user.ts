import { registrationDecider } from '@portal/auth/registration/decider'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { email } from '@portal/contracts/shared/rules'
import { loadState } from '@portal/platform/decider/handle-command'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { type EventLog, openExistingVault } from '../settings/open-sources.ts'

const byEmail = async (config: Config, log: EventLog, address: string): Promise<UserId> => {
  const vault = await openExistingVault(config)
  try {
    const { state } = await loadState(log, registrationDecider, vault.index('email', address))
    if (state.status === 'completed') return state.details.userId
  } finally {
    await vault.close()
  }
  throw new CommandError('Nobody is registered with this e-mail address; of a deleted user, the id is needed')
}

/** Somebody by id or by e-mail address. The address is never stored, nor shown: it is looked up by its keyed hash. */
export const findUser = async (config: Config, log: EventLog, user: string): Promise<UserId> => {
  const id = userIdSchema.safeParse(user.trim())
  if (id.success) return id.data
  const address = email.safeParse(user.trim())
  if (address.success) return byEmail(config, log, address.data)
  throw new CommandError("USER must be a user's id or e-mail address: make why USER=… NOTIFICATION=…")
}
