const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
/** Of a name that may be shortened: 'Sep', 'Sept' or 'September'. 0 for any other word. */
const monthOf = (name: string): number => months.findIndex((month) => month.startsWith(name.toLowerCase())) + 1

const yearOf = (text: string): number => Number(text.length === 2 ? `20${text}` : text)

const dayOf = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal && year >= 2000 && year < 2100 ? date.toISOString().slice(0, 10) : undefined
}

/** A time after a date: of a bank, or of a cell of a workbook. */
const time = String.raw`(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[ap]m)?\s*(?:Z|IST)?)?$`
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}`, 'i')
const dayFirst = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})${time}`, 'i')
const dayAndName = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th)?[-/. ]*([a-z]{3,9})\.?[-/., ]*(\d{4}|\d{2})${time}`,
  'i',
)
const nameAndDay = new RegExp(String.raw`^([a-z]{3,9})\.? *(\d{1,2})(?:st|nd|rd|th)?[, ]+(\d{4})${time}`, 'i')

/**
 * The day of a date as people, banks and workbooks in India write it, as '2026-11-28': the day comes before the month. Undefined for any
 * other text.
 */
export const dayIn = (text: string): string | undefined => {
  const plain = text.trim()
  const [, year, month, day] = yearFirst.exec(plain) ?? []
  if (year !== undefined) return dayOf(yearOf(year), Number(month), Number(day))
  const [, d1, m1, y1] = dayFirst.exec(plain) ?? []
  if (y1 !== undefined) return dayOf(yearOf(y1), Number(m1), Number(d1))
  const [, d2, m2 = '', y2] = dayAndName.exec(plain) ?? []
  if (y2 !== undefined) return dayOf(yearOf(y2), monthOf(m2), Number(d2))
  const [, m3 = '', d3, y3] = nameAndDay.exec(plain) ?? []
  return y3 === undefined ? undefined : dayOf(yearOf(y3), monthOf(m3), Number(d3))
}
