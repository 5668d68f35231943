/** 128,412 */
export const grouped = (count: number): string => count.toLocaleString('en-US')

/** '1 event', '128,412 events'. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

/** 950 ms, 3.2 s, 4 min, 5.5 h, 12 days. */
export const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 120) return `${Math.round(minutes)} min`
  const hours = minutes / 60
  return hours < 48 ? `${hours.toFixed(1)} h` : `${Math.round(hours / 24)} days`
}

/** The clocks of two machines differ by less. */
const clockToleranceMs = 60_000

export const isFromFuture = (ageMs: number): boolean => ageMs < -clockToleranceMs

/** `3.2 s old`, or `from the future by 24.0 h` if a clock was wrong. */
export const ageText = (ageMs: number): string =>
  isFromFuture(ageMs) ? `from the future by ${duration(-ageMs)}` : `${duration(Math.max(0, ageMs))} old`

/** `2026-11-21 14:02:01.123`, in UTC. */
export const moment = (iso: string): string => iso.replace('T', ' ').replace('Z', '')

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses an ISO time or a duration before now: 90s, 10m, 2h, 3d. Undefined for other text. */
export const momentFrom = (text: string, now: Date): Date | undefined => {
  const ago = /^(\d{1,6})([smhd])$/.exec(text)
  if (ago) return new Date(now.getTime() - Number(ago[1]) * (unitMs[ago[2] ?? ''] ?? 0))
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time
}

type Cell = string | number

const isNumber = (cell: Cell | undefined): boolean => typeof cell === 'number'

/** A table with left-aligned text and right-aligned numbers. Empty without rows. */
export const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  if (rows.length === 0) return ''
  const columns = headings.map((heading, index) => ({
    width: Math.max(heading.length, ...rows.map((row) => String(row[index] ?? '').length)),
    isRight: rows.some((row) => isNumber(row[index])),
  }))
  const line = (cells: readonly Cell[]): string =>
    columns
      .map(({ width, isRight }, index) => {
        const text = String(cells[index] ?? '')
        return isRight ? text.padStart(width) : text.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)].join('\n')
}
