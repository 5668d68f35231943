import Button from '@mui/material/Button'
import type { Program } from '@portal/contracts/catalog/program'
import { useRef, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { draftsOf } from '../../../lib/drafts.ts'
import { randomKey } from '../../../lib/random-hex.ts'
import { useSession } from '../../../lib/session.ts'
import { useKeptText } from '../../../lib/use-kept-text.ts'
import { SavedNotice } from '../../../ui/saved-notice.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { create, type SavedProgram, update } from '../../../features/programs/admin/api.ts'
import { useNotice } from '../../../features/programs/admin/form/form-footer.tsx'
import { ProgramForm } from '../../../features/programs/admin/form/program-form.tsx'
import { copiedParts, copyOf } from '../../../features/programs/admin/form/program-values.ts'
import { useSavedProgram } from '../../../features/programs/admin/form/use-saved-program.ts'
import { useNewParts, useSavedParts } from '../../../features/programs/admin/form/use-parts.ts'
import { previewAddress } from '../../../features/programs/admin/preview/program-preview.tsx'
import { programToast } from '../../../features/programs/admin/saved-state.ts'
import { LoadedProgram, type Loaded } from './loaded-program.tsx'

/** Edits the program whose id is in the path. The id 'new' creates a program, as a copy of another one with `?copy={id}`. */
export const ProgramFormPage = () => {
  const { id = 'new' } = useParams()
  const [search] = useSearchParams()
  const copied = search.get('copy')
  const isNew = id === 'new'
  // Another key begins the form anew.
  const [round, setRound] = useState(1)
  const onDiscard = () => setRound((n) => n + 1)
  const copyOrNew = copied === null ? 'new' : `copy of ${copied}`
  const saved = useSavedProgram(isNew ? copyOrNew : id, onDiscard)
  return (
    <>
      <PageTitle
        title={isNew ? 'Create New Program' : 'Edit Program'}
        back={{ to: '/admin/programs', label: 'programs' }}
        actions={
          isNew ? undefined : (
            <Button component={Link} to={previewAddress(id)} variant="text" color="secondary">
              View as a learner
            </Button>
          )
        }
      />
      <SavedNotice saved={saved} />
      {isNew && copied === null && <NewProgram key={`new ${round}`} onDiscard={onDiscard} />}
      {isNew && copied !== null && (
        <LoadedProgram key={copied} id={copied}>
          {({ program }) => <NewProgram key={round} original={program} onDiscard={onDiscard} />}
        </LoadedProgram>
      )}
      {!isNew && (
        <LoadedProgram key={id} id={id}>
          {(loaded) => <EditedProgram key={round} {...loaded} onDiscard={onDiscard} />}
        </LoadedProgram>
      )}
    </>
  )
}

/** A toast with the name of the program, which opens it as learners see it. */
const useSavedToast = (what: 'created' | 'updated') => {
  const toast = useToast()
  const navigate = useNavigate()
  return ({ _id, programName }: Program) =>
    toast.success(`${programName} ${what}`, {
      subject: programToast,
      action: { label: 'View as a learner', onPress: () => void navigate(previewAddress(_id)) },
    })
}

type Discardable = { readonly onDiscard: () => void }

const NewProgram = ({ original, onDiscard }: Discardable & { readonly original?: Program }) => {
  const keptAs = original ? `copy of ${original._id}` : 'new'
  // A request without an answer may have reached the server, even if the form has changed since, or was reloaded with its draft.
  const [keptKey, keepKey] = useKeptText(`program:${keptAs}:key`)
  const owner = useSession()?.user._id
  const [isRestored] = useState(() => owner !== undefined && draftsOf(owner, `program:${keptAs}`).length > 0)
  const key = useRef(isRestored && keptKey !== '' ? keptKey : randomKey())
  const createOnce = async (body: SavedProgram) => {
    keepKey(key.current)
    const answer = await create(body, key.current)
    if (!answer.success && answer.isNetworkError) return answer
    keepKey('')
    key.current = randomKey()
    return answer
  }
  // Changes of the original do not reach a copy that is being written.
  const [template] = useState(() => original && copyOf(original))
  const [templateParts] = useState(() => original && copiedParts(original, Date.now()))
  const messages = useNotice()
  const parts = useNewParts(keptAs, templateParts)
  return (
    <ProgramForm
      keptAs={keptAs}
      onDiscard={onDiscard}
      program={null}
      template={template}
      parts={parts}
      messages={messages}
      submitText="Create Program"
      busyText="Creating..."
      save={createOnce}
      onSaved={useSavedToast('created')}
    />
  )
}

const EditedProgram = ({ program, load, onDiscard }: Loaded & Discardable) => {
  const messages = useNotice()
  const parts = useSavedParts(program, messages.show)
  return (
    <ProgramForm
      keptAs={program._id}
      onDiscard={onDiscard}
      program={program}
      parts={parts}
      messages={messages}
      submitText="Update Program"
      busyText="Updating..."
      save={(body) => update(program._id, { ...body, revision: parts.revision })}
      onSaved={useSavedToast('updated')}
      load={load}
    />
  )
}
