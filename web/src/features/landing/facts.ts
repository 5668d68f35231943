import { groupedAsInIndia } from '../../lib/number-format.ts'

/** The facts of the program as numbers. All texts and figures of the landing page derive from them. */
export const facts = {
  credits: { total: 18, perSemester: [7, 8, 3] },
  fee: { totalRupees: 45_000, installments: 3, installmentRupees: 15_000 },
  placement: { leastCgpa: 7, ofCgpa: 10 },
  clearancePercent: 30,
  /** Hours of the day, from 0 to 24. */
  weekdays: { days: 5, fromHour: 19, toHour: 22 },
  weekends: { days: 2, fromHour: 9, toHour: 17 },
  studentIdMonths: 18,
  immersion: { leastDays: 2, mostDays: 3, afterSemester: 1, dailyRupees: 1_000 },
  examWithinKm: 500,
  deadlines: { dailyCheckDays: 1, assignmentDays: 10 },
  evaluationsPerSemester: 2,
  tracks: ['AI', 'CS and advanced technologies', 'DS and ML', 'Business analytics'],
} as const

export const rupees = (amount: number): string => `₹${groupedAsInIndia(amount)}`

/** A non-breaking space. */
const nbsp = '\u00A0'

/** '7–10 PM' for 19 and 22, '9 AM–5 PM' for 9 and 17. */
export const hoursText = ({ fromHour, toHour }: { readonly fromHour: number; readonly toHour: number }): string => {
  const half = (hour: number) => (hour < 12 ? 'AM' : 'PM')
  const clock = (hour: number) => hour % 12 || 12
  const from = half(fromHour) === half(toHour) ? `${clock(fromHour)}` : `${clock(fromHour)}${nbsp}${half(fromHour)}`
  return `${from}–${clock(toHour)}${nbsp}${half(toHour)}`
}

const { credits, fee, placement, weekdays, weekends, immersion, deadlines } = facts

export const semesters = credits.perSemester.length

/** The facts as texts to insert into sentences. */
export const factTexts = {
  credits: `${credits.total} credits over ${semesters} semesters (${credits.perSemester.join('+')})`,
  fee: `${rupees(fee.totalRupees)} in three installments of ${rupees(fee.installmentRupees)}`,
  placement: `CGPA ${placement.leastCgpa.toFixed(1)} or higher`,
  clearance: `${facts.clearancePercent} percent`,
  hours: `weekdays ${hoursText(weekdays)} and weekends ${hoursText(weekends)}`,
  studentId: `valid ${facts.studentIdMonths} months`,
  immersion: `${immersion.leastDays}–${immersion.mostDays} days after semester${nbsp}${immersion.afterSemester}`,
  immersionCost: `under ${rupees(immersion.dailyRupees)} a day`,
  exam: `within about ${facts.examWithinKm}${nbsp}km`,
  dailyCheck: `${deadlines.dailyCheckDays} day`,
  assignment: `${deadlines.assignmentDays} days`,
  evaluations: `${facts.evaluationsPerSemester} online evaluations`,
} as const
