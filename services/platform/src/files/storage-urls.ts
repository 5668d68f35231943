import type { Config } from '../settings/config.ts'
import { dataFiles } from './data-folder.ts'

/** 'ledger', 'ledger-20261121t140102', 'ledger.v2-20261121t140102'. */
const ledgerNamespace = /^ledger($|-|\.v\d+-)/

/**
 * Where a namespace of the read models is kept. The generations of the pending deliveries have a folder of their own where read
 * models are files, so that those who delete the other read models keep it.
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

/** The file or folder that `sqlite:PATH` names; undefined for an address of another kind. */
export const sqlitePathOf = (url: string): string | undefined =>
  url.startsWith(scheme) ? url.slice(scheme.length) : undefined
