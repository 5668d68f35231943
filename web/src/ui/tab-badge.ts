import { atom } from '../lib/jotai.ts'

/** The number of unread items, shown before the title of the browser tab. */
export const tabBadgeCountAtom = atom(0)

/** At most three characters: '99+' above 99. */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count))
