import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../../../ui/illustrations.tsx'
import { Pager } from '../../../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../../../ui/states.tsx'
import type { LearnerList as List } from '../use-learner-list.ts'
import type { LearnerMarks } from '../use-marks.ts'
import { LearnerRow } from './learner-row.tsx'
import { LearnerTable } from './learner-table.tsx'
import { MarkPage } from './mark-page.tsx'

const Rows = styled('div')(({ theme }) => ({
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

type LearnerListProps = {
  readonly list: List
  readonly marks: LearnerMarks
  readonly program: Program | undefined
  readonly onEnroll: () => void
}

const NoRows = ({ list, onEnroll }: Pick<LearnerListProps, 'list' | 'onEnroll'>) => {
  const { q, conditions } = list.query
  const isFiltered = q !== '' || conditions.paymentStatus !== undefined || conditions.semester !== undefined
  return isFiltered ? (
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="No one matches"
      detail="Try other words, or fewer conditions."
      action={
        <Button variant="outlined" color="secondary" onClick={list.clear}>
          Show all learners
        </Button>
      }
    />
  ) : (
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="No one is enrolled yet"
      action={
        <Button variant="outlined" color="secondary" onClick={onEnroll}>
          Enroll someone
        </Button>
      }
    />
  )
}

/** The learners of a page with their marks, or why there are none. */
export const LearnerList = ({ list, marks, program, onEnroll }: LearnerListProps) => {
  const { state, isBusy, query, from, reload, sortBy, showPage } = list
  switch (state.kind) {
    case 'loading':
      return (
        <DelayedFadeIn role="status" aria-label="Loading learners">
          <Skeleton variant="rounded" height={480} />
        </DelayedFadeIn>
      )
    case 'failed':
      return (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load learners"
          detail={state.failure.message}
          onRetry={reload}
        />
      )
    case 'loaded': {
      const { learners, pagination } = state.data
      if (pagination.total === 0) return <NoRows list={list} onEnroll={onEnroll} />
      return (
        <Rows aria-busy={isBusy || undefined}>
          <MarkPage marked={marks.onPage} onToggle={marks.togglePage} />
          <LearnerTable sort={query.sort} onSort={sortBy}>
            {learners.map((learner: ListedLearner) => (
              <LearnerRow
                key={learner.userId}
                learner={learner}
                program={program}
                isMarked={marks.marked.has(learner.userId)}
                isFull={marks.isFull}
                onToggle={marks.toggle}
                from={from}
              />
            ))}
          </LearnerTable>
          <Pager pagination={pagination} noun="learners" onPage={showPage} />
        </Rows>
      )
    }
  }
}
