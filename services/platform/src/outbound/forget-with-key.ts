import type { PersonalDataVault } from '../personal-data/port.ts'
import type { Outbound } from './open-outbound.ts'

/** A vault that also removes a person's messages from the development mailbox when their key is destroyed, and again at each repetition. */
export const forgetWithKey = (vault: PersonalDataVault, { forget }: Pick<Outbound, 'forget'>): PersonalDataVault => ({
  ...vault,
  erase: async (userId) => {
    const keyBytes = await vault.erase(userId)
    await forget(userId)
    return keyBytes
  },
})
