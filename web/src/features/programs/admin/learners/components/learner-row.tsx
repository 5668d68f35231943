import { styled } from '@mui/material/styles'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { CheckBox } from '../../../../../ui/check-box.tsx'
import { installmentText } from '../../../../../ui/rupees.ts'
import { languageOf } from '../../../../../ui/text-language.ts'
import { dayText } from '../../../../../ui/time.tsx'
import { ToneBadge } from '../../../../../ui/type-badge.tsx'
import { accountOf, type ProgramFees } from '../fees.ts'
import type { FromLearners } from '../learner-query.ts'

const Name = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  alignItems: 'start',
  gap: theme.spacing(1),
  '& a': { ...theme.typography.subtitle2, color: 'inherit', textDecorationThickness: 1, textUnderlineOffset: '0.2em' },
  '& .state': { display: 'block', marginTop: theme.spacing(1) },
}))

/** Its edges are around the box, so that it is easy to hit and the names stay close. */
const Tick = styled('label')(({ theme }) => ({
  display: 'grid',
  placeContent: 'center',
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  margin: theme.spacing(-3, 0, -3, -3),
  cursor: 'pointer',
}))

const Below = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'block',
  marginTop: theme.spacing(1),
  color: theme.vars.palette.text.secondary,
}))

const none = <span aria-label="None">–</span>

const enrolledByText = (name: string): string => `by ${name === '' ? 'a deleted account' : name}`

type LearnerRowProps = {
  readonly learner: ListedLearner
  readonly program: ProgramFees | undefined
  readonly isMarked: boolean
  /** Whether no more learners can be marked. */
  readonly isFull: boolean
  readonly onToggle: (learner: ListedLearner) => void
  /** The address of this list. */
  readonly from: string
}

const Payment = ({ learner, program }: Pick<LearnerRowProps, 'learner' | 'program'>) => {
  const { paymentStatus } = learner
  const isPaid = paymentStatus === 'Completed'
  const account = isPaid ? undefined : accountOf(learner, program)
  const open = account && installmentText(account, 'open')
  return (
    <span>
      <ToneBadge tone={isPaid ? 'green' : 'yellow'}>{paymentStatus}</ToneBadge>
      {open !== undefined && <Below>{open}</Below>}
    </span>
  )
}

export const LearnerRow = memo(({ learner, program, isMarked, isFull, onToggle, from }: LearnerRowProps) => {
  const { userId, fullName, personalEmail, universityName, studentCode, enrolledAt, enrolledBy } = learner
  const routerState: FromLearners = { learners: from }
  return (
    <tr role="row" data-marked={isMarked || undefined}>
      <td role="cell">
        <Name>
          <Tick>
            <CheckBox
              type="checkbox"
              aria-label={`Mark ${fullName}`}
              checked={isMarked}
              disabled={isFull && !isMarked}
              onChange={() => onToggle(learner)}
            />
          </Tick>
          <span>
            <Link to={`/admin/people/${userId}`} state={routerState} lang={languageOf(fullName)}>
              {fullName}
            </Link>
            {learner.state === 'deactivated' && (
              <span className="state">
                <ToneBadge tone="red">Deactivated</ToneBadge>
              </span>
            )}
          </span>
        </Name>
      </td>
      <td role="cell" data-label="Email">
        {personalEmail}
      </td>
      <td role="cell" data-label="University">
        {universityName || none}
      </td>
      <td role="cell" data-label="Student code">
        {studentCode || none}
      </td>
      <td role="cell" data-label="Enrolled">
        <span>
          {dayText(enrolledAt)}
          {enrolledBy !== undefined && <Below>{enrolledByText(enrolledBy)}</Below>}
        </span>
      </td>
      <td role="cell" data-label="Payment">
        <Payment learner={learner} program={program} />
      </td>
      <td role="cell" className="short" data-label="Semester">
        {learner.currentSemester}
      </td>
    </tr>
  )
})
