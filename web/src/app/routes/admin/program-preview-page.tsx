import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Link, useParams } from 'react-router-dom'
import { CardPreview, PagePreview } from '../../../features/programs/admin/preview/program-preview.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { LoadedProgram } from './loaded-program.tsx'

/** The page as wide as a learner's, and beside it the card of the list. */
const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(8, 10),
  gridTemplateColumns: `minmax(0, ${theme.portal.sizes.column}px)`,
  [theme.breakpoints.up('lg')]: {
    gridTemplateColumns: `minmax(0, ${theme.portal.sizes.column}px) minmax(0, 376px)`,
  },
}))

/** The saved program as a learner sees it. */
export const ProgramPreviewPage = () => {
  const { id = '' } = useParams()
  return (
    <>
      <PageTitle
        title="View as a learner"
        back={{ to: '/admin/programs', label: 'programs' }}
        actions={
          <Button component={Link} to={`/admin/programs/edit/${id}`} variant="outlined" color="secondary">
            Edit Program
          </Button>
        }
      />
      <LoadedProgram key={id} id={id}>
        {({ program }) => (
          <Columns>
            <PagePreview program={program} />
            <CardPreview program={program} />
          </Columns>
        )}
      </LoadedProgram>
    </>
  )
}
