import { existsSync, readFileSync } from 'node:fs'
import { adminLinkHours, userIdOf } from '@portal/auth/admin-grant/admin-grant'
import { prepareAdminGrant } from '@portal/auth/admin-grant/prepare-admin-grant'
import { resetLinkOf } from '@portal/auth/password-reset/reset-link'
import { createPasswordHashing } from '@portal/auth/passwords/password-hashing'
import { email as emailSchema } from '@portal/contracts/shared/rules'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { pidFileIn } from '@portal/platform/runtime/run-folder'
import { recordOperatorEvent } from '@portal/platform/security-log/open-security-log'
import type { Config } from '@portal/platform/settings/config'
import { linkOriginOf } from '@portal/platform/settings/link-origin'
import { CommandError, runCommand } from '../command.ts'
import { endNow, type Environment, print } from '../output/print.ts'
import { moment } from '../output/format.ts'
import { openExistingVault, openLog } from '../settings/open-engines.ts'
import { isStoreInUse, operatorAndReason, operatorConfig } from '../settings/operator-config.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { openServingReadModels } from '../settings/serving-read-models.ts'
import { submitGrant, waitUntilEffective } from './submit-grant.ts'

type GrantedAdmin = {
  readonly email: string
  readonly userId: string
  readonly account: 'existing' | 'new'
  /** One-time link to the 'Set New Password' page. */
  readonly link: string
  /** ISO 8601 */
  readonly expiresAt: string
  /** False if the portal is not running or has not caught up yet. */
  readonly isEffective: boolean
}

const adminText = ({ email, account, link, expiresAt, isEffective }: GrantedAdmin): string => {
  const existing = isEffective
    ? 'Its previous password no longer works, and its sessions have ended.'
    : 'Its previous password and its sessions end as soon as the portal is running and has caught up.'
  return [
    account === 'new' ? `${email} is a new account with the role admin.` : `${email} is an admin.`,
    ...(account === 'existing' ? [existing] : []),
    '',
    'Send this link to the admin. It opens the page that sets the password:',
    `  ${link}`,
    `It works once, until ${moment(expiresAt)} UTC. Anyone who has it can log in as this admin.`,
  ].join('\n')
}

const effectTimeoutMs = 10_000

const emailOf = ({ EMAIL }: Environment): string => {
  const parsed = emailSchema.safeParse(EMAIL ?? '')
  if (!parsed.success) throw new CommandError('EMAIL must be an email address: make admin EMAIL=asha@example.com')
  return parsed.data
}

/** PUBLIC_URL, or the current address of the portal of this data folder. */
const originOf = (config: Config): string => {
  const { publicOrigin } = config.http
  const pidFile = pidFileIn(config.dataDir, 'portal')
  if (publicOrigin !== undefined || !isStoreInUse(config) || !existsSync(pidFile)) return linkOriginOf(config.http)
  const [, address = ''] = readFileSync(pidFile, 'utf8').split('\n')
  return URL.canParse(address) ? new URL(address).origin : linkOriginOf(config.http)
}

/** `make admin EMAIL=…`: grants an account the role admin and prints a one-time link for its password. Recorded as an operation. */
await runCommand(async () => {
  const { env } = process
  const address = emailOf(env)
  const config = await operatorConfig(env)
  const log = await openLog(config)
  const vault = await openExistingVault(config)
  const passwords = createPasswordHashing({ threads: 1 })
  try {
    const request = { email: address, ...operatorAndReason(env) }
    const event = { event: 'role-changed', operator: request.by } as const
    const prepared = await prepareAdminGrant({ log, vault, passwords, clockAndIds: systemClockAndIds }, request)
    if (!prepared.ok) {
      recordOperatorEvent(config, { ...event, result: 'refused', code: prepared.error })
      throw new CommandError('The account of this address was erased. Use another address, or register this one again')
    }
    const { grant, token } = prepared.value
    const expiresAt = new Date(Date.now() + adminLinkHours * 3_600_000).toISOString()
    const submitted = await submitGrant(config, log, grant)
    recordOperatorEvent(config, { ...event, result: 'ok', target: userIdOf(grant) })
    const isRunning = submitted === 'by-portal' || !isFile(config.eventStoreUrl)
    const readModels = isRunning ? await openServingReadModels(config) : undefined
    const isEffective = readModels !== undefined && (await waitUntilEffective(readModels, grant, effectTimeoutMs))
    await readModels?.close()
    const made = {
      email: address,
      userId: userIdOf(grant),
      account: grant.account.kind,
      link: resetLinkOf(originOf(config), token, address),
      expiresAt,
      isEffective,
    }
    print(env, made, () => adminText(made))
  } finally {
    await Promise.all([log.close(), vault.close(), passwords.close()])
  }
})
endNow()
