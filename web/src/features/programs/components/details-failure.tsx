import Button from '@mui/material/Button'
import { Link } from 'react-router-dom'
import type { Failure } from '../../../lib/http.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

/** An address that cannot be one of a programme leads to none either. */
export const isMissing = ({ code }: Failure): boolean => code === 'not-found' || code === 'invalid'

type DetailsFailureProps = { readonly failure: Failure; readonly onRetry: () => void }

export const DetailsFailure = ({ failure, onRetry }: DetailsFailureProps) =>
  isMissing(failure) ? (
    <div role="alert">
      <EmptyState
        illustration={<BookletIllustration />}
        text="Program not found"
        action={
          <Button component={Link} to="/my-program" variant="outlined" color="secondary">
            My Programs
          </Button>
        }
      />
    </div>
  ) : (
    <ErrorState
      illustration={<UnpluggedIllustration />}
      text={failure.message || 'Failed to load program details'}
      onRetry={onRetry}
    />
  )
