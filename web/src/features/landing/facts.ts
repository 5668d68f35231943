/**
 * What the programme promises, as numbers. Every sentence and every drawing of the landing page takes them from here, so that a
 * changed fee is changed once.
 */
export const facts = {
  credits: { total: 18, perSemester: [7, 8, 3] },
  fee: { totalRupees: 45_000, instalments: 3, instalmentRupees: 15_000 },
  placement: { leastCgpa: 7, ofCgpa: 10 },
  clearancePercent: 30,
  /** Hours of the day, 24 of them. */
  weekdays: { days: 5, fromHour: 19, toHour: 22 },
  weekends: { days: 2, fromHour: 9, toHour: 17 },
  studentIdMonths: 18,
  immersion: { leastDays: 2, mostDays: 3, afterSemester: 1, dailyRupees: 1_000 },
  examWithinKm: 500,
  deadlines: { dailyCheckDays: 1, assignmentDays: 10 },
  evaluationsPerSemester: 2,
  tracks: ['AI', 'CS and advanced technologies', 'DS and ML', 'Business analytics'],
} as const

const groups = new Intl.NumberFormat('en-IN')

export const rupees = (amount: number): string => `₹${groups.format(amount)}`

/** A space at which no line breaks. */
const joined = '\u00A0'

/** 19 and 22 are '7–10 PM', 9 and 17 are '9 AM–5 PM'. */
export const hoursText = ({ fromHour, toHour }: { readonly fromHour: number; readonly toHour: number }): string => {
  const half = (hour: number) => (hour < 12 ? 'AM' : 'PM')
  const clock = (hour: number) => hour % 12 || 12
  const from = half(fromHour) === half(toHour) ? `${clock(fromHour)}` : `${clock(fromHour)}${joined}${half(fromHour)}`
  return `${from}–${clock(toHour)}${joined}${half(toHour)}`
}

const { credits, fee, placement, weekdays, weekends, immersion, deadlines } = facts

export const semesters = credits.perSemester.length

/** The facts as the portal says them, for whoever needs one in a sentence. */
export const phrases = {
  credits: `${credits.total} credits over ${semesters} semesters (${credits.perSemester.join('+')})`,
  fee: `${rupees(fee.totalRupees)} in three instalments of ${rupees(fee.instalmentRupees)}`,
  placement: `CGPA ${placement.leastCgpa.toFixed(1)} or higher`,
  clearance: `${facts.clearancePercent} percent`,
  hours: `weekdays ${hoursText(weekdays)} and weekends ${hoursText(weekends)}`,
  studentId: `valid ${facts.studentIdMonths} months`,
  immersion: `${immersion.leastDays}–${immersion.mostDays} days after semester${joined}${immersion.afterSemester}`,
  immersionCost: `under ${rupees(immersion.dailyRupees)} a day`,
  exam: `within about ${facts.examWithinKm}${joined}km`,
  dailyCheck: `${deadlines.dailyCheckDays} day`,
  assignment: `${deadlines.assignmentDays} days`,
  evaluations: `${facts.evaluationsPerSemester} online evaluations`,
} as const
