import type { PersonalDataVault } from './port.ts'

export type EventStoreDbVaultOptions = {
  readonly url: string
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array | undefined
}

export const openEventStoreDbVault = async ({ url }: EventStoreDbVaultOptions): Promise<PersonalDataVault> => {
  throw new Error(`EVENT_STORE_URL: EventStoreDB is not supported yet (an address of ${url.length} characters)`)
}
