import { stripInvisible } from './typed-input.ts'

/** Names that look alike are equal: ignores case, width, repeated spaces and invisible characters. */
export const nameKey = (name: string): string =>
  stripInvisible(name.normalize('NFKC')).toLowerCase().replaceAll(/\s+/g, ' ').trim()
