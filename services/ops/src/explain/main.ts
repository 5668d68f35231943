import { registrationDecider } from '@portal/auth/registration/decider'
import { notificationIdSchema, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { email } from '@portal/contracts/shared/rules'
import { loadState } from '@portal/platform/decider/handle-command'
import type { Config } from '@portal/platform/settings/config'
import { CommandError, runCommand } from '../command.ts'
import { endNow, print, printable } from '../output/print.ts'
import { type EventLog, openExistingVault, withLog } from '../settings/open-engines.ts'
import { readingConfig } from '../settings/operator-config.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { loadDeliveryRecord } from './delivery-record.ts'
import { loadRecentDeliveries, recentDeliveriesText } from './recent-deliveries.ts'
import { explanationText, explainDelivery } from './explanation.ts'

const byEmail = async (config: Config, log: EventLog, address: string): Promise<UserId> => {
  const vault = await openExistingVault(config)
  try {
    const { state } = await loadState(log, registrationDecider, vault.index('email', address))
    if (state.status === 'completed') return state.details.userId
  } finally {
    await vault.close()
  }
  throw new CommandError('No user with this email. For a deleted user, pass the id')
}

/** Finds a user by id or e-mail address. The address is neither stored nor shown: its keyed hash is the index. */
const findUser = async (config: Config, log: EventLog, user: string): Promise<UserId> => {
  const id = userIdSchema.safeParse(user.trim())
  if (id.success) return id.data
  const address = email.safeParse(user.trim())
  if (address.success) return byEmail(config, log, address.data)
  throw new CommandError("USER must be a user's id or email: make why USER=… lists their last notifications")
}

/** Undefined if none is given. */
const notificationOf = (text: string) => {
  if (text.trim() === '') return undefined
  const id = notificationIdSchema.safeParse(text.trim())
  if (id.success) return id.data
  throw new CommandError("NOTIFICATION must be a notification's id: make why USER=… lists those of a user")
}

/** `make why`: explains the delivery of one notification to one user. Without NOTIFICATION it lists the last ten of the user. Shows ids
 * only, no personal data. */
await runCommand(async () => {
  const notificationId = notificationOf(process.env['NOTIFICATION'] ?? '')
  const config = await readingConfig(process.env)
  const userId = await withLog(config, (log) => findUser(config, log, process.env['USER'] ?? ''))
  if (notificationId === undefined) {
    const recent = await withServingReadModels(config, (readModels) => loadRecentDeliveries(readModels, userId))
    print(process.env, recent, () => recentDeliveriesText(recent))
    return
  }
  const record = await withLog(config, async (log) => {
    const at = { now: new Date().toISOString(), graceMs: config.seenGraceMs }
    return withServingReadModels(config, (readModels) =>
      loadDeliveryRecord(log, readModels, { userId, notificationId }, at),
    )
  })
  const explanation = explainDelivery(record)
  // An unknown id is a mistake of the caller, whose script should stop.
  if (explanation.ending === 'no-such-notification' || explanation.ending === 'no-such-user') process.exitCode = 1
  print(process.env, { ...explanation, facts: record }, () =>
    explanationText(explanation).split('\n').map(printable).join('\n'),
  )
})
endNow()
