import { inboxItemSchema } from '@portal/contracts/notifications/notification'
import { paginationSchema } from '@portal/contracts/shared/page'
import { z } from 'zod'
import { currentSession, type Session } from '../../lib/session.ts'
import { readStored, removeStored, storageKeys, writeStored } from '../../lib/storage.ts'
import type { FetchedPage } from './apply-changes.ts'

/*
 * The first page of the inbox as the server last sent it, kept on the device for a start without a network.
 *
 * It is encrypted with a key that is derived from the session token. So it belongs to one session by construction: when the token
 * is removed, in whatever way the session ends, the text can no longer be read, also if its removal failed. A key of its own in
 * IndexedDB would be a second secret with a life of its own, and removing it is asynchronous: a log-out could close the page
 * first. Local storage removes the text in the same step as the token. A library that persists the query cache would also restore
 * its epoch, sequence number and unread count, which only the server may set.
 */

/** `at`: when it was known to be up to date; ms. */
export type KeptInbox = { readonly at: number; readonly page: FetchedPage }

export const maxKeptAgeMs = 7 * 24 * 60 * 60 * 1_000
/** A page of notifications with the longest texts in any script is shorter. */
const maxKeptChars = 500_000

const keptSchema = z.object({
  at: z.number(),
  page: z.object({
    pagination: paginationSchema,
    items: z.array(inboxItemSchema).max(100),
    epoch: z.string(),
    seq: z.number().int(),
  }),
})

const ivBytes = 12
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const keyOf = async ({ token }: Session): Promise<CryptoKey> => {
  const secret = await crypto.subtle.importKey('raw', utf8(token), 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8('kept inbox 1') }
  return crypto.subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const cipherOf = ({ user }: Session, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: utf8(user._id),
})

const textOf = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

const encrypt = async (session: Session, text: string): Promise<string> => {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = await crypto.subtle.encrypt(cipherOf(session, iv), await keyOf(session), utf8(text))
  return textOf(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

const decrypt = async (session: Session, stored: string): Promise<string> => {
  const bytes = bytesOf(stored)
  const [iv, sealed] = [bytes.slice(0, ivBytes), bytes.slice(ivBytes)]
  return new TextDecoder().decode(await crypto.subtle.decrypt(cipherOf(session, iv), await keyOf(session), sealed))
}

export const forgetInbox = (): void => removeStored(storageKeys.keptInbox)

/** Whether this is the session of this tab and, as far as this tab can see, of the others. */
const isCurrent = ({ token }: Session): boolean =>
  currentSession()?.token === token && readStored(storageKeys.token) === token

/** Keeps the page for this session, unless it has ended meanwhile. If that fails, no earlier page is left. */
export const keepInbox = async (session: Session, { pagination, items, epoch, seq }: FetchedPage): Promise<void> => {
  if (session.user.role === 'admin') return
  try {
    const kept: z.input<typeof keptSchema> = { at: Date.now(), page: { pagination, items: [...items], epoch, seq } }
    const stored = await encrypt(session, JSON.stringify(kept))
    if (!isCurrent(session)) return
    forgetInbox()
    if (stored.length <= maxKeptChars) writeStored(storageKeys.keptInbox, stored)
  } catch (error) {
    console.debug('inbox not kept on the device, it needs a network', error)
    if (isCurrent(session)) forgetInbox()
  }
}

/** What was kept for the current session. Null if there is nothing, or nothing readable. */
export const readKeptInbox = async (): Promise<KeptInbox | null> => {
  const session = currentSession()
  const stored = readStored(storageKeys.keptInbox)
  if (!session || session.user.role === 'admin' || stored === null) return null
  try {
    const kept = keptSchema.parse(JSON.parse(await decrypt(session, stored)))
    if (!isCurrent(session)) return null
    const ageMs = Date.now() - kept.at
    if (ageMs >= 0 && ageMs <= maxKeptAgeMs) return kept
  } catch (error) {
    console.debug('kept inbox not readable, ignoring it', error)
  }
  // Another tab may have kept a newer one.
  if (isCurrent(session) && readStored(storageKeys.keptInbox) === stored) forgetInbox()
  return null
}
