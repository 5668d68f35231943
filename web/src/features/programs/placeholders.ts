/** Fixed values from the specification, such as the progress of a learner, which the portal does not track. */

export { firstSemester as currentSemester } from '@portal/contracts/catalog/enrollment'

/** Percent, on the cards of /my-program. */
export const cardProgressPercent = 33

/** Percent, on the page of a program in which the learner is enrolled. */
export const overallProgressPercent = 68
export const semesterProgressPercent = 68

export const statistic = {
  figure: '80%',
  text: 'of emerging roles in India by 2026 will require CSE-related skills',
} as const

export const quotation =
  'It is not about man versus machine anymore... It is about what the two of them can do together.'

/** Rupees, for semesters without a fee of their own. */
export const fallbackSemesterFee = 15_000
/** Rupees, for the first semester, shown to learners who are not enrolled. */
export const fallbackFirstSemesterFee = 14_000

/** The text of the registration fee box, independent of the program. */
export const registrationFeePaid = 'Paid'
export const registrationFeeDue = '₹1000'
