/** `20261121t140102`, as in the names of generations. */
export const stampOf = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
