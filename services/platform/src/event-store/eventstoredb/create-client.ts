import { accessSync, constants } from 'node:fs'
import { EventStoreDBClient } from '@eventstore/db-client'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'
import { StoreAccessError } from '../errors.ts'

const fileParameters = ['tlsCAFile', 'userCertFile', 'userKeyFile'] as const

/** Rejects an address that names a file which cannot be read, because the client does not say which one. */
export const requireFilesOf = (url: string, setting = 'EVENT_STORE_URL'): void => {
  const options = parseConnectionString(url)
  for (const parameter of fileParameters) {
    const path = options[parameter]
    if (path === undefined) continue
    try {
      accessSync(path, constants.R_OK)
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
      throw new StoreAccessError(
        `${parameter} in ${setting} names ${path}, which cannot be read${reason}: correct the path`,
        { cause: error },
      )
    }
  }
}

/** A client of an EventStoreDB. It connects at its first call. */
export const createClient = (url: string, setting?: string): EventStoreDBClient => {
  requireFilesOf(url, setting)
  return EventStoreDBClient.connectionString(url)
}
