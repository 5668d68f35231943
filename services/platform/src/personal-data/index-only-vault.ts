import type { PersonalDataVault } from './port.ts'
import { vaultOnKeys } from './vault-on-keys.ts'

const refuse = async (): Promise<never> => {
  throw new Error('This process has INDEX_KEY only: it cannot seal, open or erase personal data')
}

/** For a process that only looks things up by keyed hash: it holds no key that opens anything. */
export const indexOnlyVault = (indexKey: Uint8Array): PersonalDataVault =>
  vaultOnKeys({ forSealing: refuse, forOpening: refuse, destroy: refuse, close: async () => {} }, indexKey)
