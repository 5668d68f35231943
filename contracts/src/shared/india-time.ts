/**
 * India Standard Time, where the program is held: UTC+5:30 all year. The server counts days in it, and admins read all times
 * in it.
 */
export const indiaZone = { shortName: 'IST', name: 'India Standard Time', aheadMs: 5.5 * 3_600_000 } as const

/** '2026-11-21T19:35:00.000', as a clock in India shows it. */
const clockInIndia = (atMs: number): string => new Date(atMs + indiaZone.aheadMs).toISOString().slice(0, -1)

/** '2026-11-21' */
export const dateInIndia = (atMs: number): string => clockInIndia(atMs).slice(0, 10)

/** '2026-11-21 19:35:00', which spreadsheets read as a date and time. */
export const dateTimeInIndia = (atMs: number): string => clockInIndia(atMs).slice(0, 19).replace('T', ' ')
