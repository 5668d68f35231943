import type { ApiKeyId } from '@portal/contracts/shared/ids'
import type { Logger } from 'pino'
import { boundedCache } from '../cache/bounded-cache.ts'
import { isTransient } from '../errors/error-kinds.ts'
import type { ReadStore } from '../read-model/port.ts'
import { apiKeyRef, proofOf, validApiKeySchema } from './api-key.ts'
import type { ApiKeyRecord, NamedApiKey } from './api-key-record.ts'
import type { ApiKeyCaller } from './session.ts'

/** Returns the caller of an API key; undefined if it is malformed, unknown or revoked. */
export type ApiKeyVerifier = { verify(key: string): Promise<ApiKeyCaller | undefined> }

/** More than fifty admins can have. */
const maxKnownKeys = 1_000

type ApiKeyVerifierOptions = {
  /** Read on every use, so that a revoked key stops working in each process as soon as the projection has applied it. */
  readonly readModel: Pick<ReadStore, 'getMany' | 'lineage'>
  /** Decides if the read model may have lost a revocation. */
  readonly record: ApiKeyRecord
  readonly now: () => Date
  readonly logger: Pick<Logger, 'warn'>
}

/** Confirmed again after this time, in case the read model lost a revocation without a new lineage. */
const reconfirmAfterMs = 10 * 60_000

/** What this process knows about a key. */
type Known = {
  /** The lineage of the read model when the log confirmed the key. */
  confirmedIn: string | undefined
  confirmedAtMs: number
  /** The day for which its use is recorded. */
  usedOn: string
}

export const makeApiKeyVerifier = ({ readModel, record, now, logger }: ApiKeyVerifierOptions): ApiKeyVerifier => {
  const known = boundedCache<ApiKeyId, Known>(maxKnownKeys)
  const remember = (keyId: ApiKeyId): Known => {
    const entry = known.get(keyId) ?? { confirmedIn: undefined, confirmedAtMs: 0, usedOn: '' }
    known.set(keyId, entry)
    return entry
  }

  const confirm = async (key: NamedApiKey, entry: Known, lineage: string): Promise<boolean> => {
    const isValid = await record.isValid(key)
    entry.confirmedIn = isValid ? lineage : undefined
    entry.confirmedAtMs = now().getTime()
    return isValid
  }

  /** While the log is unavailable, its previous confirmation in the same lineage counts. */
  const isConfirmed = async (key: NamedApiKey, entry: Known, lineage: string): Promise<boolean> => {
    // The data may have been replaced during the read.
    const isContinuous = entry.confirmedIn === lineage && readModel.lineage() === lineage
    if (!isContinuous) return confirm(key, entry, lineage)
    if (Math.abs(now().getTime() - entry.confirmedAtMs) < reconfirmAfterMs) return true
    try {
      return await confirm(key, entry, lineage)
    } catch (error) {
      if (!isTransient(error)) throw error
      return true
    }
  }

  /** The caller does not wait, and a failure is not theirs: the next use records it. */
  const recordUse = (key: NamedApiKey, entry: Known): void => {
    const day = now().toISOString().slice(0, 10)
    if (entry.usedOn === day) return
    entry.usedOn = day
    record.recordUse(key, day).catch((err: unknown) => {
      entry.usedOn = ''
      logger.warn({ err, keyId: key.keyId }, 'use of an API key could not be recorded')
    })
  }

  return {
    verify: async (token) => {
      const proof = proofOf(token)
      if (!proof) return undefined
      const lineage = readModel.lineage()
      const [document] = await readModel.getMany([apiKeyRef(proof)])
      if (document === undefined) return undefined
      const { keyId, rights } = validApiKeySchema.parse(document)
      const key = { keyId, userId: proof.userId }
      const entry = remember(keyId)
      if (!(await isConfirmed(key, entry, lineage))) return undefined
      recordUse(key, entry)
      return { userId: proof.userId, role: 'admin', apiKeyId: keyId, rights }
    },
  }
}
