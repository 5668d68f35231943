import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { Link } from 'react-router-dom'
import type { LoadState } from '../../../lib/query.ts'
import { languageOf } from '../../../ui/text-language.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { artworkDesignOf } from '../artwork/program-artwork.tsx'
import { programAddress } from '../program.ts'
import { NextInstallment } from './next-installment.tsx'
import { CardLink, CardList, CardsSkeleton } from './program-card.tsx'
import { Section } from './section.tsx'

/**
 * On a white background, so that the colors of the fee status are distinguishable. The left edge has the color of the program.
 */
const ProfileCardLink = styled(CardLink)(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}`,
}))

const Text = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  padding: theme.spacing(4, 4, 4, 6),
  color: theme.vars.palette.text.primary,
  '& h3': { ...theme.typography.h3, margin: 0 },
  '& .standing': {
    ...theme.typography.body2,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
    color: theme.vars.palette.text.secondary,
  },
}))

const ProfileCard = ({ enrollment }: { enrollment: Enrollment }) => {
  const { programId, programName, currentSemester, paymentStatus, withdrawnAt } = enrollment
  return (
    <ProfileCardLink to={programAddress(programId, true)} tone={artworkDesignOf({ _id: programId, programName }).tone}>
      <Text>
        <h3 lang={languageOf(programName)}>{programName}</h3>
        <div className="standing">
          <span>{withdrawnAt === null ? currentSemester : 'Withdrawn'}</span>
          <span>
            {'Fees: '}
            <ToneBadge tone={paymentStatus === 'Completed' ? 'green' : 'yellow'}>{paymentStatus}</ToneBadge>
          </span>
          <NextInstallment enrollment={enrollment} />
        </div>
      </Text>
    </ProfileCardLink>
  )
}

const NoneYet = () => (
  <>
    <Typography color="textSecondary">You are not enrolled in any program yet</Typography>
    <div>
      <Button component={Link} to="/my-program">
        Enroll Now
      </Button>
    </div>
  </>
)

type ProfileProgramsProps = {
  readonly enrollments: LoadState<readonly Enrollment[]>
  readonly onRetry: () => void
}

/** The programs in which the learner is enrolled, and the status of their fees. */
export const ProfilePrograms = ({ enrollments, onRetry }: ProfileProgramsProps) => (
  <Section title="My Programs">
    {enrollments.kind === 'loading' && <CardsSkeleton label="Loading your programs" count={1} heightPx={84} />}
    {enrollments.kind === 'failed' && (
      <div role="alert">
        <Typography color="textSecondary">Failed to load programs</Typography>
        <Button variant="text" onClick={onRetry}>
          Try again
        </Button>
      </div>
    )}
    {enrollments.kind === 'loaded' && enrollments.data.length === 0 && <NoneYet />}
    {enrollments.kind === 'loaded' && enrollments.data.length > 0 && (
      <CardList
        cards={enrollments.data.map((enrollment) => (
          <ProfileCard key={enrollment.programId} enrollment={enrollment} />
        ))}
      />
    )}
  </Section>
)
