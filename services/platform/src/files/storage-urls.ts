import type { Config } from '../settings/config.ts'
import { dataFiles } from './data-folder.ts'

/** 'ledger', 'ledger-20261121t140102', 'ledger.v2-20261121t140102'. */
const ledgerNamespace = /^ledger($|-|\.v\d+-)/

/**
 * The address of a read model namespace. With SQLite, the pending deliveries have a separate folder, so that deleting the other read
 * models keeps them.
 */
export const readModelUrlOf = (
  { readModelUrl, dataDir }: Pick<Config, 'readModelUrl' | 'dataDir'>,
  namespace: string,
): string => {
  return ledgerNamespace.test(namespace) && !/^rediss?:/.test(readModelUrl)
    ? `sqlite:${dataFiles(dataDir).ledger}`
    : readModelUrl
}

const scheme = 'sqlite:'

/** The path of `sqlite:PATH`; undefined for another address. */
export const sqlitePathOf = (url: string): string | undefined =>
  url.startsWith(scheme) ? url.slice(scheme.length) : undefined

/** The address of an event store for output, without credentials and options. */
export const shownAddressOf = (url: string): string => {
  const [protocol = '', rest = ''] = url.split('://')
  return sqlitePathOf(url) ?? `${protocol}://${rest.replace(/^.*@/, '').replace(/[/?].*$/, '')}`
}
