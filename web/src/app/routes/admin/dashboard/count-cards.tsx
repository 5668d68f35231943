import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { formatCount } from '../../../../features/campaigns/progress.ts'
import type { Answer } from '../../../../lib/http.ts'
import { useRequestQuery } from '../../../../lib/query.ts'
import { Waiting } from '../../../../ui/skeletons.tsx'
import { countPrograms, countUniversities, countUsers } from './api.ts'

/** Figures between hairlines, as in the front matter of a report. */
const Row = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
}))

const Card = styled('li')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column-reverse',
  justifyContent: 'flex-end',
  padding: theme.spacing(5, 4, 5, 0),
  '& .figure': {
    ...theme.typography.h1,
    fontSize: theme.portal.pieces.count,
    lineHeight: 1.1,
    fontVariantNumeric: 'tabular-nums',
  },
  '& .figure.none': { color: theme.vars.palette.text.secondary },
  '& .name': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  // The whole card leads where its name does.
  position: 'relative',
  '& a': { color: 'inherit', textUnderlineOffset: '0.2em', outline: 'none' },
  '& a::after': { content: '""', position: 'absolute', inset: theme.spacing(1, 4, 1, -2), borderRadius: 6 },
  '& a:hover::after': { background: theme.vars.palette.action.hover },
  '& a:focus-visible::after': { outline: `2px solid ${theme.vars.palette.text.primary}` },
}))

/** Shown for an unknown count: no route counts enrollments, and a failed count is only logged. */
const unknownCount = '--'

const Unknown = () => <span className="figure none">{unknownCount}</span>

const Figure = ({ request, name }: { request: (signal: AbortSignal) => Promise<Answer<number>>; name: string }) => {
  const { state } = useRequestQuery({ key: ['count', name], request })
  useEffect(() => {
    if (state.kind === 'failed') console.error(`Counting ${name} failed`, state.failure.message)
  }, [state, name])
  if (state.kind === 'loading')
    return (
      <Waiting>
        <Skeleton variant="rounded" width={64} height={44} />
      </Waiting>
    )
  if (state.kind === 'failed') return <Unknown />
  return <span className="figure">{formatCount(state.data)}</span>
}

export const CountCards = () => (
  <Row aria-label="Counts">
    <Card>
      <Figure request={countUniversities} name="Universities" />
      <span className="name">
        <Link to="/admin/universities">Universities</Link>
      </span>
    </Card>
    <Card>
      <Figure request={countUsers} name="Users" />
      <span className="name">Users</span>
    </Card>
    <Card>
      <Figure request={countPrograms} name="Programs" />
      <span className="name">
        <Link to="/admin/programs">Programs</Link>
      </span>
    </Card>
    <Card>
      <Unknown />
      <span className="name">Enrollments</span>
    </Card>
  </Row>
)
