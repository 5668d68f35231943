import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { coverDesignOf } from '../cover/cover-design.ts'
import { ProgramCover } from '../cover/program-cover.tsx'
import { rupees } from '../../../ui/money.ts'
import { semestersText } from '../semesters-text.ts'
import { Booklet } from './booklet.tsx'

const Text = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  gap: theme.spacing(1),
  padding: theme.spacing(4, 4, 4, 5),
  '& .code': { ...theme.typography.caption, fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '& .name': {
    ...theme.typography.h3,
    fontSize: theme.portal.pieces.name,
    lineHeight: 1.3,
    margin: 0,
    textWrap: 'pretty',
    paddingBottom: theme.spacing(2),
  },
  '& .terms': {
    ...theme.typography.body2,
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 4),
    paddingTop: theme.spacing(2),
    fontWeight: 600,
    fontVariantNumeric: 'tabular-nums',
  },
  // The terms of neighbouring cards stand on one line, however long their names are.
  '& .rule': { border: 0, borderTop: '1px solid currentColor', opacity: 0.4, margin: 'auto 0 0', width: '100%' },
}))

const Front = styled('div')({ height: 132 })

type ProgramCardProps = {
  readonly program: Pick<Program, '_id' | 'programId' | 'programName' | 'semesterCount' | 'fee'>
  readonly to: string
}

/** A programme as the front of a course booklet. */
export const ProgramCard = ({ program, to }: ProgramCardProps) => (
  <Booklet to={to} tone={coverDesignOf(program).tone}>
    <Front>
      <ProgramCover program={program} />
    </Front>
    <Text>
      <span className="code">{program.programId}</span>
      <h3 className="name">{program.programName}</h3>
      <hr className="rule" aria-hidden="true" />
      <span className="terms">
        <span>{semestersText(program.semesterCount)}</span>
        <span>{rupees(program.fee)}</span>
      </span>
    </Text>
  </Booklet>
)
