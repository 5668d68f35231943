import { BookletDrawing } from '../../../ui/drawings.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyState } from '../../../ui/states.tsx'

export const AdminProgramsPage = () => (
  <>
    <PageTitle title="Programs" />
    <EmptyState drawing={<BookletDrawing />} text="No Programs Found" />
  </>
)
