/** What the screens show without asking anybody: the portal does not know how far a learner has come, nor the labour market. */

export { firstSemester as currentSemester } from '@portal/contracts/catalog/enrollment'

/** Percent, on the cards of /my-program. */
export const cardProgressPercent = 33

/** Percent, on the page of a program one is enrolled in. */
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
/** The first semester's, as long as one is not enrolled. */
export const fallbackFirstSemesterFee = 14_000

/** What the box of the registration fee reads, whatever the program says. */
export const registrationFeePaid = 'Paid'
export const registrationFeeDue = '₹1000'
