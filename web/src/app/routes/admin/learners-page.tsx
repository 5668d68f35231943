import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { programRecordIdSchema, type ProgramRecordId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { ExportLearners } from '../../../features/programs/admin/learners/components/export-learners.tsx'
import { type Asked, LearnerDialogs } from '../../../features/programs/admin/learners/components/learner-dialogs.tsx'
import { LearnerFilter } from '../../../features/programs/admin/learners/components/learner-filter.tsx'
import { LearnerList } from '../../../features/programs/admin/learners/components/learner-list.tsx'
import { MarkBar } from '../../../features/programs/admin/learners/components/mark-bar.tsx'
import { InvitedList } from '../../../features/programs/admin/learners/invited/invited-list.tsx'
import { invitedParam, useInvited } from '../../../features/programs/admin/learners/invited/use-invited.ts'
import { useFocusKept } from '../../../features/programs/admin/learners/use-focus-kept.ts'
import { useLearnerList } from '../../../features/programs/admin/learners/use-learner-list.ts'
import { useMarks } from '../../../features/programs/admin/learners/use-marks.ts'
import { useReports } from '../../../features/programs/admin/learners/use-reports.ts'
import { groupedAsInIndia } from '../../../lib/number-format.ts'
import { useProgram } from '../../../features/programs/catalog-queries.ts'
import { BookletIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { languageOf } from '../../../ui/text-language.ts'

const back = { to: '/admin/programs', label: 'programs' }

/** The name of the program, and what concerns all of its learners. */
const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(3, 4),
  margin: theme.spacing(-3, 0, 5),
  '& > p': { ...theme.typography.subtitle1, flex: '1 1 240px', minHeight: '1lh', margin: 0, overflowWrap: 'anywhere' },
  '& > div': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) },
}))

const Content = styled('div')({ '&:focus': { outline: 'none' } })

const NotFound = () => (
  <>
    <PageTitle title="Learners" back={back} />
    <EmptyState
      illustration={<BookletIllustration />}
      text="Program not found"
      action={
        <Button component={Link} to="/admin/programs" variant="outlined" color="secondary">
          All programs
        </Button>
      }
    />
  </>
)

const noRows: readonly ListedLearner[] = []

/** The learners of a program: who has paid, and what admins do with them. */
export const LearnersPage = () => {
  const id = programRecordIdSchema.safeParse(useParams()['id'])
  return id.success ? <LearnersOf key={id.data} programId={id.data} /> : <NotFound />
}

const LearnersOf = ({ programId }: { readonly programId: ProgramRecordId }) => {
  const { state: programState } = useProgram(programId)
  const program = programState.kind === 'loaded' ? (programState.data ?? undefined) : undefined
  const list = useLearnerList(programId)
  const invited = useInvited(programId)
  const { state, isBusy, query } = list
  const loaded = state.kind === 'loaded' ? state.data : undefined
  const marks = useMarks(loaded?.learners ?? noRows)
  const [asked, setAsked] = useState<Asked>()
  const content = useFocusKept()
  const refresh = () => {
    void list.refresh()
    void invited.refresh()
  }
  const reports = useReports({
    programId,
    onChange: () => {
      marks.clear()
      refresh()
    },
    onUndo: refresh,
  })
  if (state.kind === 'failed' && state.failure.code === 'not-found') return <NotFound />

  const marked = [...marks.marked.values()]
  return (
    <>
      <PageTitle title="Learners" back={back} />
      <Head>
        <p lang={languageOf(program?.programName ?? '')}>{program?.programName}</p>
        <div>
          {!invited.isShown && (invited.total ?? 0) > 0 && (
            <Button component={Link} to={`?${invitedParam}=1`} size="small" variant="outlined" color="secondary">
              <span>{`Invited (${groupedAsInIndia(invited.total ?? 0)})`}</span>
            </Button>
          )}
          <ExportLearners programId={programId} query={query} />
          <Button
            component={Link}
            to={`/admin/notifications?unpaid=${programId}`}
            size="small"
            variant="outlined"
            color="secondary"
          >
            Remind who has not paid
          </Button>
          <Button
            size="small"
            variant="outlined"
            color="secondary"
            onClick={() => setAsked({ action: 'pay-list', learners: [] })}
          >
            Confirm payments from a list
          </Button>
          <Button size="small" onClick={() => setAsked({ action: 'enroll', learners: [] })}>
            Enroll
          </Button>
        </div>
      </Head>
      {invited.isShown ? (
        <InvitedList programId={programId} invited={invited} />
      ) : (
        <Content ref={content} tabIndex={-1}>
          <LearnerFilter
            conditions={query.conditions}
            semesterCount={program?.semesterCount}
            found={isBusy ? undefined : loaded?.pagination.total}
            total={loaded?.counts.all ?? 0}
            counts={loaded?.counts}
            onChange={list.filterBy}
          />
          <LearnerList
            list={list}
            marks={marks}
            program={program}
            onEnroll={() => setAsked({ action: 'enroll', learners: [] })}
          />
          {marked.length > 0 && (
            <MarkBar
              count={marked.length}
              isFull={marks.isFull}
              disabled={program ? [] : ['semester']}
              onAction={(action) => setAsked({ action, learners: marked })}
              onClear={marks.clear}
            />
          )}
        </Content>
      )}
      {asked && (
        <LearnerDialogs
          asked={asked}
          program={program}
          programId={programId}
          reports={reports}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
