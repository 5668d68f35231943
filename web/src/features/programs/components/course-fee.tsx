import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { formatRupees } from '../../../ui/money.ts'
import { type ProgramVariant, semesterFees } from '../course-fees.ts'
import { registrationFeeDue, registrationFeePaid } from '../placeholders.ts'
import { NextInstallment } from './next-installment.tsx'
import { samplePayment, SampleNote } from './sample-note.tsx'
import { Section } from './section.tsx'

const RegistrationFee = styled('div', { shouldForwardProp: (prop) => prop !== 'paid' })<{ paid: boolean }>(({
  theme,
  paid,
}) => {
  const { background, text } = theme.vars.palette.portal.tones[paid ? 'green' : 'yellow']
  return {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
    padding: theme.spacing(3, 4),
    borderRadius: theme.portal.radii.control,
    color: text,
    background,
    fontWeight: 600,
    '& strong': { ...theme.typography.h3, fontVariantNumeric: 'tabular-nums' },
  }
})

type CourseFeeProps = {
  readonly program: Pick<Program, 'semesters' | 'semesterCount' | 'fee'>
  readonly variant: ProgramVariant
  /** Of an enrolled learner. */
  readonly enrollment?: Enrollment
}

export const CourseFee = ({ program, variant, enrollment }: CourseFeeProps) => {
  const isPaid = variant === 'enrolled'
  const semesters = semesterFees(program, variant).map((value, index) => ({ name: `Semester ${index + 1}`, value }))
  const total = program.fee === '' ? [] : [{ name: 'Total fee', value: <strong>{formatRupees(program.fee)}</strong> }]
  return (
    <Section title="Course Fee">
      <RegistrationFee paid={isPaid}>
        <span>Registration fee</span>
        <strong>{isPaid ? registrationFeePaid : registrationFeeDue}</strong>
      </RegistrationFee>
      {isPaid && <SampleNote>{samplePayment}</SampleNote>}
      <DescriptionList areAmounts items={[...semesters, ...total]} />
      {enrollment && <NextInstallment enrollment={enrollment} />}
    </Section>
  )
}
