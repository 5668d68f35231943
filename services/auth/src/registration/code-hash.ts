import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Channel } from './channel.ts'

/** What is kept of a code: with the key it takes a million tries to find, without it there is nothing to try. */
export const codeHashOf = (
  vault: Pick<PersonalDataVault, 'index'>,
  emailIndex: string,
  channel: Channel,
  code: string,
): string => vault.index('code', `${emailIndex} ${channel} ${code}`)
