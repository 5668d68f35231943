import { BookletDrawing } from '../../ui/drawings.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyState } from '../../ui/states.tsx'

export const MyProgramsPage = () => (
  <>
    <PageTitle title="My Programs" />
    <EmptyState drawing={<BookletDrawing />} text="You are not enrolled in any program yet" />
  </>
)
