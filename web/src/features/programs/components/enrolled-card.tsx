import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { coverDesignOf } from '../cover/cover-design.ts'
import { ProgramCover } from '../cover/program-cover.tsx'
import { cardProgressPercent } from '../placeholders.ts'
import { programAddress } from '../program-address.ts'
import { Booklet } from './booklet.tsx'
import { ProgressBar } from './progress-bar.tsx'

const Front = styled('div')({ height: 88 })

const Text = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(4, 4, 4, 5),
  '& .name': {
    ...theme.typography.h3,
    fontSize: theme.portal.pieces.name,
    lineHeight: 1.3,
    margin: 0,
    textWrap: 'pretty',
  },
}))

/** A programme that the reader is in: the booklet, with a mark how far they are. */
export const EnrolledCard = ({ enrollment }: { enrollment: Enrollment }) => {
  const { programId, programName, currentSemester, withdrawnAt } = enrollment
  const subject = { _id: programId, programName }
  return (
    <Booklet to={programAddress(programId, true)} tone={coverDesignOf(subject).tone}>
      <Front>
        <ProgramCover program={subject} />
      </Front>
      <Text>
        <h3 className="name">{programName}</h3>
        {withdrawnAt !== null && (
          <span>
            <ToneBadge tone="yellow">Withdrawn</ToneBadge>
          </span>
        )}
        <ProgressBar label={currentSemester} percent={cardProgressPercent} />
      </Text>
    </Booklet>
  )
}
