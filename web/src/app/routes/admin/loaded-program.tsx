import type { Program } from '@portal/contracts/catalog/program'
import type { ReactNode } from 'react'
import type { Answer } from '../../../lib/http.ts'
import { UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { applyToProgram, type Apply } from '../../../features/programs/apply-catalog-change.ts'
import { useCatalogQuery } from '../../../features/programs/use-catalog-query.ts'
import { loadProgram } from '../../../features/programs/admin/api.ts'
import { isRejection } from '../../../features/programs/admin/form/form-footer.tsx'
import { ProgramFormSkeleton } from '../../../features/programs/admin/form/program-form.tsx'

type Answered = { readonly success: true; readonly data: Program }

/**
 * Applies the saves of other admins. A program that another admin deletes stays on the screen; saving it then reports the
 * deletion.
 */
const applySaves: Apply<Answered> = (known, change) => ({
  ...known,
  data: applyToProgram(known.data._id)(known.data, change) ?? known.data,
})

export type Loaded = { readonly program: Program; readonly load: () => Promise<Answer<unknown>> }

type LoadedProgramProps = { readonly id: string; readonly children: (loaded: Loaded) => ReactNode }

/** Shows the children once the program has been loaded; until then its skeleton, or why it cannot be loaded. */
export const LoadedProgram = ({ id, children }: LoadedProgramProps) => {
  const { state, reload } = useCatalogQuery({
    key: ['admin-program', id],
    request: (signal): Promise<Answer<Answered>> => loadProgram(id, signal),
    apply: applySaves,
  })
  switch (state.kind) {
    case 'loading':
      return <ProgramFormSkeleton />
    case 'failed':
      return isRejection(state.failure) ? (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load program details"
          detail={state.failure.message}
          onRetry={() => void reload()}
        />
      ) : (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Error loading program. Please try again."
          onRetry={() => void reload()}
        />
      )
    case 'loaded':
      return children({ program: state.data.data, load: reload })
  }
}
