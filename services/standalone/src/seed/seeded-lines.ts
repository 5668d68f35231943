import type { SeededPortal, Sample } from './seed-portal.ts'

const sampleLines = ({ facultyEmail, programs, enrollments, notifications }: Sample): readonly string[] => {
  const { sent, read } = notifications
  return [
    ...(facultyEmail === undefined ? [] : [`1 member of the faculty, ${facultyEmail}`]),
    `${programs} programmes, ${enrollments} enrolments`,
    sent > 0 ? `${sent} notifications sent, read ${read} times` : 'The notifications had been sent before',
  ]
}

/** What was made and how to log in. */
export const seededLines = ({ password, learners, sample }: SeededPortal): readonly string[] => {
  const { created, existing, firstEmail, lastEmail } = learners
  const were = existing > 0 ? ` (${existing} of them were there already)` : ''
  return [
    `${created + existing} learners, ${firstEmail} to ${lastEmail}${were}`,
    ...(sample ? sampleLines(sample) : []),
    `Password: ${password}`,
  ]
}
