import type { SecondFactorKind } from '@portal/contracts/shared/problem'
import { supportsPasskeys } from './passkey.ts'

/** Ways to prove the second factor. */
export type Way = 'passkey' | 'app' | 'recovery'

/** The first one is shown first. */
export const waysOf = (factors: readonly SecondFactorKind[]): readonly [Way, ...Way[]] => {
  const app: readonly Way[] = factors.includes('totp') ? ['app'] : []
  if (factors.includes('passkey') && supportsPasskeys()) return ['passkey', ...app, 'recovery']
  return app.length > 0 ? ['app', 'recovery'] : ['recovery']
}

/** What leads to another way. */
export const textOfWay = (way: Way, ways: readonly Way[]): string => {
  if (way === 'recovery') return 'Use a recovery code'
  if (way === 'passkey') return 'Use a passkey'
  return ways.includes('passkey') ? 'Use a code instead' : 'Use your authenticator app'
}
