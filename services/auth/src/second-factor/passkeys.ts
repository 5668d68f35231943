import type { SignedByPasskey } from '@portal/contracts/auth/factor-proof'
import {
  type CreatedPasskey,
  maxPasskeys,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
} from '@portal/contracts/auth/passkeys'
import type { Passkey } from '@portal/contracts/auth/second-factor'
import { type PasskeyId, passkeyIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { FindUser } from '../user/directory.ts'
import type { SecondFactorRejection } from './decider.ts'
import { isOn, type PasskeyFactor, passkeysOf, type SecondFactorState } from './factors.ts'
import type { PasskeyChallenges, PasskeyPurpose } from './passkey-challenge.ts'
import type { RelyingParty } from './relying-party.ts'
import { issuedCodes, type SecondFactorStream } from './second-factor-stream.ts'
import type { Enrollment } from './second-factors.ts'
import { creationOptions, type KnownCredential, requestOptions, verifyCreation, verifySignature } from './webauthn.ts'

type PasskeysDeps = {
  readonly stream: SecondFactorStream
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt' | 'decrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
  readonly challenges: PasskeyChallenges
  readonly findUser: FindUser
}

/** 'unavailable': not at this address of the portal. 'used-challenge': or expired. 'no-user': erased in the meantime. */
export type PasskeyRejection = SecondFactorRejection | 'unavailable' | 'used-challenge' | 'wrong-passkey' | 'no-user'

/** Where the browser is, and the session or login that it answers in. */
export type Ceremony = { readonly relyingParty: RelyingParty | undefined; readonly boundTo: string }

type NewPasskey = { readonly credential: CreatedPasskey; readonly label: string }

export const presentPasskey = ({ passkeyId: id, label, addedAt, lastUsedOn }: PasskeyFactor): Passkey => ({
  id,
  label,
  addedAt,
  ...(lastUsedOn !== undefined && { lastUsedOn }),
})

/** A challenge from before the first second factor took no proof of one, so it adds no further one. */
const purposeOfAdding = (state: SecondFactorState, subject: Omit<PasskeyPurpose, 'kind'>): PasskeyPurpose => ({
  kind: isOn(state) ? 'add-another' : 'add',
  ...subject,
})

/** Passkeys of all users. */
export const createPasskeys = ({ stream, vault, clockAndIds, challenges, findUser }: PasskeysDeps) => {
  const indexOf = (credentialId: string): string => vault.index('passkey', credentialId)
  /** What authenticators know the account by. It is no id of the portal, because others may read it there. */
  const handleOf = (userId: UserId): string => vault.index('passkey-user', userId)

  const credentialsOf = async (userId: UserId, passkeys: readonly PasskeyFactor[]): Promise<KnownCredential[]> => {
    const credentials = await Promise.all(
      passkeys.map(async ({ credentialId, transports }) => {
        const id = await vault.decrypt(userId, credentialId)
        return id === undefined ? [] : [{ id, transports }]
      }),
    )
    return credentials.flat()
  }

  return {
    /** Options for the browser, which makes a passkey. It has no effect before `add`. */
    beginAdding: async (
      { userId, isFirst }: Enrollment,
      { relyingParty, boundTo }: Ceremony,
    ): Promise<Result<PasskeyCreationOptions, PasskeyRejection>> => {
      if (!relyingParty) return rejected('unavailable')
      const state = await stream.load(userId)
      if (isFirst && isOn(state)) return rejected('already-on')
      const passkeys = passkeysOf(state)
      if (passkeys.length >= maxPasskeys) return rejected('too-many-passkeys')
      const owner = await findUser(userId)
      if (!owner) return rejected('no-user')
      const user = { handle: handleOf(userId), email: owner.personalEmail, fullName: owner.fullName }
      const challenge = challenges.make(purposeOfAdding(state, { userId, boundTo }))
      const existing = await credentialsOf(userId, passkeys)
      return ok(await creationOptions({ relyingParty, challenge, user, existing }))
    },

    add: async (
      { userId, isFirst }: Enrollment,
      { relyingParty, boundTo }: Ceremony,
      { credential, label }: NewPasskey,
      metadata: EventMetadata,
    ): Promise<Result<{ readonly passkey: Passkey; readonly recoveryCodes: readonly string[] }, PasskeyRejection>> => {
      if (!relyingParty) return rejected('unavailable')
      const { clientDataJSON } = credential.response
      const state = await stream.load(userId)
      const challenge = await challenges.use(clientDataJSON, purposeOfAdding(state, { userId, boundTo }))
      if (challenge === undefined) return rejected('no-offer')
      const created = await verifyCreation({ relyingParty, challenge }, credential)
      if (!created) return rejected('wrong-passkey')
      const { recoveryCodes, codeHashes } = stream.newCodes(userId)
      const passkey = {
        passkeyId: passkeyIdSchema.parse(clockAndIds.newId()),
        credentialId: await vault.encrypt(userId, created.id),
        credentialIndex: indexOf(created.id),
        publicKey: await vault.encrypt(userId, created.publicKey),
        counter: created.counter,
        transports: [...created.transports],
        label,
        addedAt: clockAndIds.now().toISOString(),
      }
      const command = { type: 'AddPasskey', userId, isFirst: isFirst || !isOn(state), codeHashes, ...passkey } as const
      const added = await stream.handle(command, metadata)
      if (!added.ok) return added
      const presented = presentPasskey({ kind: 'passkey', ...passkey, lastUsedOn: undefined })
      return ok({ passkey: presented, recoveryCodes: issuedCodes(added.value, recoveryCodes) })
    },

    /** Options for the browser, which asks the user for one of the passkeys. */
    beginUse: async (
      userId: UserId,
      { relyingParty, boundTo }: Ceremony,
    ): Promise<Result<PasskeyRequestOptions, PasskeyRejection>> => {
      if (!relyingParty) return rejected('unavailable')
      const allowed = await credentialsOf(userId, passkeysOf(await stream.load(userId)))
      if (allowed.length === 0) return rejected('off')
      const challenge = challenges.make({ kind: 'log-in', userId, boundTo })
      return ok(await requestOptions({ relyingParty, challenge }, allowed))
    },

    use: async (
      userId: UserId,
      { relyingParty, boundTo }: Ceremony,
      signed: SignedByPasskey,
      metadata: EventMetadata,
    ): Promise<Result<unknown, PasskeyRejection>> => {
      if (!relyingParty) return rejected('unavailable')
      const challenge = await challenges.use(signed.response.clientDataJSON, { kind: 'log-in', userId, boundTo })
      if (challenge === undefined) return rejected('used-challenge')
      const credentialIndex = indexOf(signed.id)
      const passkey = passkeysOf(await stream.load(userId)).find((one) => one.credentialIndex === credentialIndex)
      const publicKey = passkey && (await vault.decrypt(userId, passkey.publicKey))
      if (!passkey || publicKey === undefined) return rejected('wrong-passkey')
      const counter = await verifySignature({ relyingParty, challenge }, signed, publicKey)
      if (counter === undefined) return rejected('wrong-passkey')
      const { passkeyId } = passkey
      const day = clockAndIds.now().toISOString().slice(0, 10)
      const used = await stream.handle({ type: 'UsePasskey', userId, passkeyId, counter, day }, metadata)
      // Removed in the meantime.
      return !used.ok && used.error === 'no-such-passkey' ? rejected('wrong-passkey') : used
    },

    /** `isRequired`: whether the user needs a second factor. */
    remove: (
      userId: UserId,
      { passkeyId, isRequired }: { readonly passkeyId: PasskeyId; readonly isRequired: boolean },
      metadata: EventMetadata,
    ) => stream.handle({ type: 'RemovePasskey', userId, passkeyId, by: userId, isRequired }, metadata),
  }
}
export type Passkeys = ReturnType<typeof createPasskeys>
