import { encryptedTextSchema } from '@portal/contracts/auth/events'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { credentialFields, type ShownEvent } from './mask.ts'

type Decrypter = {
  readonly open: PersonalDataVault['decrypt']
  /** The users whose data was decrypted. */
  readonly userIds: Set<string>
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text // such as a push token
  }
}

const decryptText = async ({ open, userIds }: Decrypter, userId: string, encrypted: string): Promise<unknown> => {
  userIds.add(userId)
  try {
    const text = await open(userId, encryptedTextSchema.parse(encrypted))
    return text === undefined ? 'erased' : jsonOrText(text)
  } catch {
    return '«cannot be decrypted»' // encrypted with another master key, or changed; show the other events anyway
  }
}

/** Encrypted fields are next to the id of their user. Password hashes are never shown. */
const unmaskField = async (decrypter: Decrypter, owner: Fields, name: string, value: unknown): Promise<unknown> => {
  if (credentialFields.has(name)) return '«encrypted»'
  const { userId } = owner
  if ((name === 'profile' || name === 'token') && typeof value === 'string' && typeof userId === 'string')
    return decryptText(decrypter, userId, value)
  return unmaskData(decrypter, value)
}

const unmaskData = async (decrypter: Decrypter, value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => unmaskData(decrypter, item)))
  if (!isObject(value)) return value
  const fields = await Promise.all(
    Object.entries(value).map(
      async ([name, inner]) => [name, await unmaskField(decrypter, value, name, inner)] as const,
    ),
  )
  return Object.fromEntries(fields)
}

type Unmasked = { readonly events: readonly ShownEvent[]; readonly userIds: readonly string[] }

/** Decrypts the personal data in events, except that of erased users. */
export const unmaskEvents = async (
  events: readonly RecordedEvent[],
  vault: Pick<PersonalDataVault, 'decrypt'>,
): Promise<Unmasked> => {
  const decrypter: Decrypter = { open: vault.decrypt, userIds: new Set() }
  const shown: ShownEvent[] = []
  for (const { kind: _kind, data, ...event } of events)
    shown.push({ ...event, data: await unmaskData(decrypter, data) })
  return { events: shown, userIds: [...decrypter.userIds] }
}
