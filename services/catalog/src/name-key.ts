import { stripInvisible } from '@portal/contracts/shared/rules'

/** Names that a reader would take for the same are the same: case, width, runs of spaces and what is not seen make no difference. */
export const nameKey = (name: string): string =>
  stripInvisible(name.normalize('NFKC')).toLowerCase().replaceAll(/\s+/g, ' ').trim()
