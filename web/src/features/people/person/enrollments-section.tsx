import Typography from '@mui/material/Typography'
import type { PersonalEnrollment } from '@portal/contracts/notifications/people'
import { installmentText } from '../../../ui/rupees.ts'
import { languageOf } from '../../../ui/text-language.ts'
import { PersonRows, PersonSection } from './person-section.tsx'

type Standing = Pick<PersonalEnrollment, 'currentSemester' | 'paymentStatus' | 'feeAccount'>

/** 'Semester 2 · Payment pending · Installment 2 of 3 open: ₹15,000' */
const standingText = ({ currentSemester, paymentStatus, feeAccount }: Standing): string => {
  const open = feeAccount && installmentText(feeAccount, 'open')
  return [currentSemester, `Payment ${paymentStatus.toLowerCase()}`, ...(open === undefined ? [] : [open])].join(' · ')
}

/** The programs of a learner. */
export const EnrollmentsSection = ({ enrollments }: { readonly enrollments: readonly PersonalEnrollment[] }) => (
  <PersonSection id="enrollments" title="Enrollments">
    {enrollments.length === 0 ? (
      <Typography color="textSecondary">Not enrolled in any program.</Typography>
    ) : (
      <PersonRows>
        {enrollments.map((enrollment) => (
          <li key={enrollment.programId}>
            <span className="name" lang={languageOf(enrollment.programName)}>
              {enrollment.programName}
            </span>
            <span>{standingText(enrollment)}</span>
          </li>
        ))}
      </PersonRows>
    )}
  </PersonSection>
)
