import { registrationDecider } from '@portal/auth/registration/decider'
import { notificationIdSchema, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { email } from '@portal/contracts/shared/rules'
import { loadState } from '@portal/platform/decider/handle-command'
import type { Config } from '@portal/platform/settings/config'
import { CommandError, runCommand } from '../command.ts'
import { endNow, print, printable } from '../output/print.ts'
import { type EventLog, openExistingVault, withLog } from '../settings/open-engines.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { loadDeliveryRecord } from './delivery-record.ts'
import { explanationText, explainDelivery } from './explanation.ts'

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
const findUser = async (config: Config, log: EventLog, user: string): Promise<UserId> => {
  const id = userIdSchema.safeParse(user.trim())
  if (id.success) return id.data
  const address = email.safeParse(user.trim())
  if (address.success) return byEmail(config, log, address.data)
  throw new CommandError("USER must be a user's id or e-mail address: make why USER=… NOTIFICATION=…")
}

const notificationOf = (text: string) => {
  const id = notificationIdSchema.safeParse(text.trim())
  if (id.success) return id.data
  throw new CommandError("NOTIFICATION must be a notification's id: make why USER=… NOTIFICATION=…")
}

/** `make why`: what became of one notification for one person. Names nobody: people appear by their ids. */
await runCommand(async () => {
  const notificationId = notificationOf(process.env['NOTIFICATION'] ?? '')
  const config = await operatorConfig(process.env)
  const facts = await withLog(config, async (log) => {
    const userId = await findUser(config, log, process.env['USER'] ?? '')
    const at = { now: new Date().toISOString(), graceMs: config.seenGraceMs }
    return withServingReadModels(config, (readModels) =>
      loadDeliveryRecord(log, readModels, { userId, notificationId }, at),
    )
  })
  const story = explainDelivery(facts)
  print(process.env, { ...story, facts }, () => explanationText(story).split('\n').map(printable).join('\n'))
})
endNow()
