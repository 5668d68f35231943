import { encryptedTextSchema } from '@portal/contracts/auth/events'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { credentialFields, type ShownEvent } from './mask.ts'

type Opener = {
  readonly open: PersonalDataVault['decrypt']
  /** Whose data was opened. */
  readonly userIds: Set<string>
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text // a push token, say, which is no JSON
  }
}

const openText = async ({ open, userIds }: Opener, userId: string, sealed: string): Promise<unknown> => {
  userIds.add(userId)
  try {
    const text = await open(userId, encryptedTextSchema.parse(sealed))
    return text === undefined ? 'erased' : jsonOrText(text)
  } catch {
    return '«does not open»' // sealed with another master key, or changed: the other events are still worth showing
  }
}

/** What is sealed lies beside the id of its user. A password's hash is nobody's business, with or without a reason. */
const unmaskField = async (opener: Opener, owner: Fields, name: string, value: unknown): Promise<unknown> => {
  if (credentialFields.has(name)) return '«sealed»'
  const { userId } = owner
  if ((name === 'profile' || name === 'token') && typeof value === 'string' && typeof userId === 'string')
    return openText(opener, userId, value)
  return unmaskData(opener, value)
}

const unmaskData = async (opener: Opener, value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => unmaskData(opener, item)))
  if (!isObject(value)) return value
  const fields = await Promise.all(
    Object.entries(value).map(async ([name, inner]) => [name, await unmaskField(opener, value, name, inner)] as const),
  )
  return Object.fromEntries(fields)
}

type Unmasked = { readonly events: readonly ShownEvent[]; readonly userIds: readonly string[] }

/** Events with their personal data, those of deleted users excepted: that is gone for good. */
export const unmaskEvents = async (
  events: readonly RecordedEvent[],
  vault: Pick<PersonalDataVault, 'decrypt'>,
): Promise<Unmasked> => {
  const opener: Opener = { open: vault.decrypt, userIds: new Set() }
  const shown: ShownEvent[] = []
  for (const { kind: _kind, data, ...event } of events) shown.push({ ...event, data: await unmaskData(opener, data) })
  return { events: shown, userIds: [...opener.userIds] }
}
