import { atom } from '../lib/jotai.ts'

/** How many things wait for the reader: shown before the title of the browser's tab. */
export const attentionCountAtom = atom(0)

/** A count that never grows wider than three characters. */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count))
