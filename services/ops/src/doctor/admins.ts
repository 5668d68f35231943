import {
  directoryEntrySchema,
  directoryProjection,
  loginProjection,
  loginRef,
  loginSchema,
  userList,
} from '@portal/auth/user/projection'
import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { readModelLimits } from '@portal/platform/read-model/limits'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Config } from '@portal/platform/settings/config'
import { openExistingVault } from '../settings/open-engines.ts'
import { hasStore } from '../settings/operator-config.ts'
import { type ServingReadModels, withServingReadModels } from '../settings/serving-read-models.ts'
import { type Finding, type Findings, info, ok, warn } from './finding.ts'

const check = 'admins'

/** The default addresses of a portal and of `make up`, which receive no mail. */
const defaultAdminEmails = ['admin@example.com', 'admin@portal.example'] as const

export type AdminsReport = {
  /** 'several' for two or more. 'unknown': there are too many users to search. */
  readonly admins: 0 | 1 | 'several' | 'unknown'
  readonly defaultEmails: readonly string[]
}

export const findingsOfAdmins = ({ admins, defaultEmails }: AdminsReport): Findings => {
  const addresses = defaultEmails.map((email) =>
    warn(check, `${email} is an admin, at an address that receives no mail`, 'make admin EMAIL=… with a real address'),
  )
  const counted: Readonly<Record<AdminsReport['admins'], Finding>> = {
    0: info(check, 'there is none yet'),
    1: warn(check, 'there is only one: a lost password locks everyone out', 'make admin EMAIL=… for a second one'),
    several: ok(check, 'there are at least two'),
    unknown: info(check, 'not counted: there are too many users to search'),
  }
  return [counted[admins], ...addresses]
}

const maxUsersRead = 200_000

/** Stops at the second admin. */
const countAdmins = async (directory: ReadStore): Promise<AdminsReport['admins']> => {
  let admins = 0
  let users = 0
  const limit = readModelLimits.entriesPerRange
  for (const bucket of allBucketKeys) {
    for (let from = 0; ;) {
      const entries = await directory.range(bucket, userList, { from, order: 'ascending', limit })
      admins += entries.filter(({ value }) => directoryEntrySchema.parse(value).role === 'admin').length
      if (admins > 1) return 'several'
      users += entries.length
      if (users > maxUsersRead) return 'unknown'
      const last = entries.at(-1)
      if (!last || entries.length < limit) break
      from = last.score + 1
    }
  }
  return admins === 1 ? 1 : 0
}

const defaultAdmins = async (config: Config, logins: ReadStore): Promise<readonly string[]> => {
  const vault = await openExistingVault(config)
  try {
    const found = await Promise.all(
      defaultAdminEmails.map(async (email) => {
        const login = loginSchema.safeParse(await logins.get(loginRef(vault.index('email', email))))
        return login.success && login.data.role === 'admin' ? [email] : []
      }),
    )
    return found.flat()
  } finally {
    await vault.close()
  }
}

const reportOf = async (config: Config, readModels: ServingReadModels): Promise<AdminsReport> => {
  const [directory, logins] = await Promise.all([readModels.of(directoryProjection), readModels.of(loginProjection)])
  return {
    admins: directory === undefined ? 0 : await countAdmins(directory.readModel),
    defaultEmails: logins === undefined ? [] : await defaultAdmins(config, logins.readModel),
  }
}

/** Warns if a lost password or an unread address would lock all admins out. */
export const checkAdmins = async (config: Config): Promise<Findings> => {
  if (!hasStore(config)) return []
  try {
    return findingsOfAdmins(await withServingReadModels(config, (readModels) => reportOf(config, readModels)))
  } catch {
    // Other checks report read models or keys that cannot be opened.
    return []
  }
}
