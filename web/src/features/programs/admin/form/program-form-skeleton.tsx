import Skeleton from '@mui/material/Skeleton'
import { Waiting } from '../../../../ui/skeletons.tsx'
import { FormColumns } from './program-form.tsx'

/** The two columns of the form, as tall as the window. */
export const ProgramFormSkeleton = () => (
  <Waiting role="status" aria-label="Loading program" style={{ containerType: 'inline-size' }}>
    <FormColumns>
      <Skeleton variant="rounded" height={760} />
      <Skeleton variant="rounded" height={760} />
    </FormColumns>
  </Waiting>
)
