/** 128,412 */
export const grouped = (count: number): string => count.toLocaleString('en-US')

/** '1 event', '128,412 events'. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
