import type { PasswordCost } from './password-cost.ts'

/** What password-hashing.ts and its threads say to each other; both are of one build, so nothing is parsed. */
export type PasswordJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: PasswordCost }
  | { readonly kind: 'verify'; readonly hash: string; readonly password: string }

export type PasswordJobOutcome =
  | { readonly kind: 'hashed'; readonly hash: string }
  | { readonly kind: 'verified'; readonly isRight: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export type PasswordWorkerData = { readonly niceness: number }
