import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { Link } from 'react-router-dom'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { ToneBadge, type BadgeTone } from '../../../ui/type-badge.tsx'
import { artworkDesignOf, ProgramArtwork } from '../artwork/program-artwork.tsx'
import { programAddress } from '../program.ts'
import { NextInstallment } from './next-installment.tsx'
import { CardLink, CardList } from './program-card.tsx'
import { ProgramRow, ProgramStamp, RowList, rowsFromPrograms } from './program-row.tsx'

/** Longer lists end with a link to the page of all programs. */
const maxRows = rowsFromPrograms

const Card = styled(CardLink)(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}`,
  '& .text': { display: 'grid', gap: theme.spacing(2), padding: theme.spacing(3, 4, 4, 6) },
  '& h3': { ...theme.typography.h3, margin: 0, color: theme.vars.palette.text.primary },
}))

const Strip = styled('div', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({ height: 72, background: theme.vars.palette.portal.tones[tone].background }),
)

const Standing = styled('span')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 4),
  color: theme.vars.palette.text.secondary,
}))

type OwnProgramProps = {
  readonly enrollment: Enrollment
  /** Undefined while the programs load, and for a withdrawn program. */
  readonly semesterCount: number | undefined
}

const StandingLine = ({ enrollment, semesterCount }: OwnProgramProps) => {
  const { currentSemester, paymentStatus, withdrawnAt } = enrollment
  const semester = semesterCount === undefined ? currentSemester : `${currentSemester} of ${semesterCount}`
  return (
    <Standing>
      <span>{withdrawnAt === null ? semester : 'Withdrawn'}</span>
      <ToneBadge tone={paymentStatus === 'Completed' ? 'green' : 'yellow'}>{`Fees: ${paymentStatus}`}</ToneBadge>
      <NextInstallment enrollment={enrollment} />
    </Standing>
  )
}

const OwnCard = ({ enrollment, semesterCount }: OwnProgramProps) => {
  const { programId, programName } = enrollment
  const program = { _id: programId, programName }
  const { tone } = artworkDesignOf(program)
  return (
    <Card to={programAddress(programId, true)} tone={tone}>
      <Strip tone={tone}>
        <ProgramArtwork program={program} />
      </Strip>
      <div className="text">
        <h3 lang={languageOf(programName)}>{programName}</h3>
        <StandingLine enrollment={enrollment} semesterCount={semesterCount} />
      </div>
    </Card>
  )
}

const OwnRow = ({ enrollment, semesterCount }: OwnProgramProps) => {
  const { programId, programName } = enrollment
  return (
    <ProgramRow program={{ _id: programId, programName }} to={programAddress(programId, true)}>
      <StandingLine enrollment={enrollment} semesterCount={semesterCount} />
    </ProgramRow>
  )
}

const MoreLink = styled(Link)(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  color: theme.vars.palette.primary.main,
}))

type OwnProgramsProps = {
  readonly enrollments: readonly Enrollment[]
  /** Empty while they load. */
  readonly programs: readonly Program[]
}

/** The programs in which the learner is enrolled, for the start page: cards, or rows if they are many. */
export const OwnPrograms = ({ enrollments, programs }: OwnProgramsProps) => {
  const semesterCounts = new Map(programs.map(({ _id, semesterCount }) => [_id, semesterCount]))
  const propsOf = (enrollment: Enrollment) => ({
    enrollment,
    semesterCount: semesterCounts.get(enrollment.programId),
  })
  if (enrollments.length < rowsFromPrograms)
    return (
      <CardList
        cards={enrollments.map((enrollment) => (
          <OwnCard key={enrollment.programId} {...propsOf(enrollment)} />
        ))}
      />
    )
  return (
    <>
      <RowList
        rows={enrollments.slice(0, maxRows).map((enrollment) => (
          <OwnRow key={enrollment.programId} {...propsOf(enrollment)} />
        ))}
      />
      {enrollments.length > maxRows && <MoreLink to="/my-program">{`All ${enrollments.length} programs`}</MoreLink>}
    </>
  )
}

const ChooseLink = styled(Link)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: theme.spacing(1, 4),
  padding: theme.spacing(4),
  borderRadius: theme.portal.radii.control,
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '&:hover h3': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.16em' },
  '& h3': { ...theme.typography.h3, margin: 0 },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
  '& .stamps': {
    gridColumn: '1 / -1',
    display: 'grid',
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    gap: theme.spacing(2),
    paddingTop: theme.spacing(3),
  },
}))

/** There is a cover for each track. */
const maxStamps = 4

/** Shows a learner without a program the covers of the programs on offer, which lead to the page that lists them. */
export const ChooseProgram = ({ programs }: { programs: readonly Program[] }) => (
  <ChooseLink to="/my-program">
    <div>
      <h3>Choose your Minor</h3>
      <p>You are not enrolled in any program yet</p>
    </div>
    <ChevronRightIcon size={20} />
    {programs.length > 0 && (
      <div className="stamps">
        {programs.slice(0, maxStamps).map((program) => (
          <ProgramStamp key={program._id} program={program} />
        ))}
      </div>
    )}
  </ChooseLink>
)
