import Typography from '@mui/material/Typography'
import type { PersonalEnrollment } from '@portal/contracts/notifications/people'
import { languageOf } from '../../../ui/text-language.ts'
import { PersonRows, PersonSection } from './person-section.tsx'

/** The programs of a learner. */
export const EnrollmentsSection = ({ enrollments }: { readonly enrollments: readonly PersonalEnrollment[] }) => (
  <PersonSection id="enrollments" title="Enrollments">
    {enrollments.length === 0 ? (
      <Typography color="textSecondary">Not enrolled in any program.</Typography>
    ) : (
      <PersonRows>
        {enrollments.map(({ programId, programName, currentSemester, paymentStatus }) => (
          <li key={programId}>
            <span className="name" lang={languageOf(programName)}>
              {programName}
            </span>
            <span>{`${currentSemester} · Payment ${paymentStatus.toLowerCase()}`}</span>
          </li>
        ))}
      </PersonRows>
    )}
  </PersonSection>
)
