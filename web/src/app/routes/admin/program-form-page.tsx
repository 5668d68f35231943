import type { Program } from '@portal/contracts/catalog/program'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { randomKey } from '../../../lib/idempotency-key.ts'
import type { Answer } from '../../../lib/http.ts'
import { UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { applyToProgram, type Apply } from '../../../features/programs/apply-catalog-change.ts'
import { useCatalogQuery } from '../../../features/programs/use-catalog-query.ts'
import { create, loadProgram, update } from '../../../features/programs/admin/api.ts'
import { isRejection, useNotice } from '../../../features/programs/admin/form/form-footer.tsx'
import { ProgramForm, ProgramFormSkeleton } from '../../../features/programs/admin/form/program-form.tsx'
import { useNewParts, useSavedParts } from '../../../features/programs/admin/form/use-parts.ts'

/** Edits the program whose id is in the path. The id 'new' creates a program. */
export const ProgramFormPage = () => {
  const { id = 'new' } = useParams()
  const isNew = id === 'new'
  return (
    <>
      <PageTitle
        title={isNew ? 'Create New Program' : 'Edit Program'}
        back={{ to: '/admin/programs', label: 'programs' }}
      />
      {isNew ? <NewProgram /> : <ExistingProgram key={id} id={id} />}
    </>
  )
}

const NewProgram = () => {
  // One idempotency key per form: a failed first request may have reached the server, even if the form has changed since.
  const [key] = useState(randomKey)
  const messages = useNotice()
  const parts = useNewParts()
  return (
    <ProgramForm
      program={null}
      parts={parts}
      hasUnsavedParts={parts.toolkit.length + parts.facts.length > 0}
      messages={messages}
      submitText="Create Program"
      busyText="Creating..."
      save={(body) => create(body, key)}
    />
  )
}

type Loaded = { readonly success: true; readonly data: Program }

/**
 * Applies the saves of other admins. A program that another admin deletes stays on the screen; saving it then reports the
 * deletion.
 */
const applySaves: Apply<Loaded> = (known, change) => ({
  ...known,
  data: applyToProgram(known.data, change) ?? known.data,
})

const ExistingProgram = ({ id }: { readonly id: string }) => {
  const { state, reload } = useCatalogQuery({
    key: ['admin-program', id],
    request: (signal): Promise<Answer<Loaded>> => loadProgram(id, signal),
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
      return <EditedProgram program={state.data.data} load={reload} />
  }
}

type EditedProgramProps = { readonly program: Program; readonly load: () => Promise<Answer<Loaded>> }

const EditedProgram = ({ program, load }: EditedProgramProps) => {
  const messages = useNotice()
  const parts = useSavedParts(program, messages.show)
  return (
    <ProgramForm
      program={program}
      parts={parts}
      hasUnsavedParts={false}
      messages={messages}
      submitText="Update Program"
      busyText="Updating..."
      save={(body) => update(program._id, { ...body, revision: parts.revision })}
      load={load}
    />
  )
}
