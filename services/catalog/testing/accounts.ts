import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Role } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'

/** Accounts as auth records and publishes them, as far as the catalog looks at them. */

const dataSchema = z.object({ userId: z.string(), emailIndex: z.string().optional() }).loose()

const published: ReadonlySet<string> = new Set(['UserRegistered', 'EmailProved', 'UserErased'])

export const accountPublishers: readonly Publisher[] = ['user', 'registration'].map((category) => ({
  category,
  topics: ['auth'],
  publish: ({ type, data }) => {
    if (!published.has(type)) return []
    const { credential: _, ...shown } = dataSchema.parse(data)
    return [{ topic: 'auth', key: bucketKey(shown.userId), type, data: shown }]
  },
}))

type Ports = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt'>
}

export type TestAccount = {
  readonly userId: UserId
  readonly email: string
  readonly fullName?: string
  readonly role?: Role
  /** Whether a code that was mailed has been entered. True by default. */
  readonly isProved?: boolean
}

const append = async ({ eventStore }: Ports, stream: string, type: string, data: object): Promise<void> => {
  const id = randomUUID()
  await eventStore.append(stream, 'any', [{ id, type, data: { ...data }, metadata: { correlationId: id } }])
}

export const registerAccount = async (
  ports: Ports,
  { userId, email, fullName = 'Asha', role = 'student', isProved = true }: TestAccount,
): Promise<void> => {
  const emailIndex = ports.vault.index('email', email)
  const profile = await ports.vault.encrypt(userId, JSON.stringify({ fullName, personalEmail: email }))
  const proved = [isProved ? 'email' : 'mobile']
  await append(ports, `registration-${emailIndex}`, 'RegistrationCompleted', { userId, emailIndex, proved })
  const account = { userId, role, emailIndex, profile, ...(!isProved && { emailVerified: false }) }
  await append(ports, `user-${userId}`, 'UserRegistered', account)
}

export const proveEmail = (ports: Ports, { userId, email }: TestAccount): Promise<void> => {
  const emailIndex = ports.vault.index('email', email)
  return append(ports, `registration-${emailIndex}`, 'EmailProved', { userId, emailIndex })
}

export const eraseAccount = async (ports: Ports, { userId, email }: TestAccount): Promise<void> => {
  const emailIndex = ports.vault.index('email', email)
  await append(ports, `user-${userId}`, 'UserErased', { userId, emailIndex })
  await append(ports, `registration-${emailIndex}`, 'EmailReleased', { userId })
}
