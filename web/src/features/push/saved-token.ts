import { readStored, removeStored, storageKeys, writeStored } from '../../lib/storage.ts'

export type SavedToken = { readonly token: string; readonly savedAtMs: number }

const refreshAgeMs = 7 * 24 * 60 * 60_000

/** One whose age is unknown counts as very old. */
export const savedToken = (): SavedToken | null => {
  const token = readStored(storageKeys.pushToken)
  if (token === null) return null
  const savedAtMs = Number(readStored(storageKeys.pushTokenSavedAt))
  return { token, savedAtMs: Number.isFinite(savedAtMs) ? savedAtMs : 0 }
}

export const saveToken = ({ token, savedAtMs }: SavedToken): void => {
  writeStored(storageKeys.pushToken, token)
  writeStored(storageKeys.pushTokenSavedAt, String(savedAtMs))
}

export const forgetSavedToken = (): void => {
  removeStored(storageKeys.pushToken)
  removeStored(storageKeys.pushTokenSavedAt)
}

export const isFresh = ({ savedAtMs }: SavedToken, nowMs: number): boolean =>
  savedAtMs <= nowMs && nowMs - savedAtMs <= refreshAgeMs
