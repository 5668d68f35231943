import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import type { DraftSummary } from '@portal/contracts/notifications/drafts'
import { socketEvents } from '@portal/contracts/notifications/socket'
import { useId, useState } from 'react'
import { useCloseOnBack } from '../../../lib/history-guard.ts'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { exactTime } from '../../../ui/time.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { LoadingText } from '../../../ui/skeletons.tsx'
import { DialogList } from '../components/dialog-list.tsx'
import type { useDraft } from '../use-draft.ts'
import { useListChanged } from '../use-list-changed.ts'
import { useDrafts } from './use-drafts.ts'

const nameOf = ({ title }: DraftSummary): string => (title.trim() === '' ? 'Without a title' : title)

type DraftsMenuProps = { readonly draft: Parameters<typeof useDrafts>[0] & Pick<ReturnType<typeof useDraft>, 'saved'> }

/** A button, and the dialog with the drafts from all devices. */
export const DraftsMenu = ({ draft }: DraftsMenuProps) => {
  const id = useId()
  const { drafts, error, load, open, discard, startNew } = useDrafts(draft)
  const [isOpen, setOpen] = useState(false)
  const [toDelete, setToDelete] = useState<DraftSummary>()
  const close = () => setOpen(false)
  useListChanged(socketEvents.draftsChanged, isOpen, () => void load())
  useCloseOnBack(isOpen && toDelete === undefined, close)

  const show = () => {
    setOpen(true)
    void load()
  }
  const openDraft = async (some: DraftSummary) => {
    if (await open(some)) close()
  }

  return (
    <>
      <Button variant="text" color="secondary" onClick={show} sx={{ marginRight: -3 }}>
        Drafts
      </Button>
      <Dialog open={isOpen} onClose={close} maxWidth="xs" fullWidth aria-labelledby={id}>
        <DialogTitle id={id} variant="h3">
          Drafts
        </DialogTitle>
        <DialogContent>
          {error !== undefined && <ErrorBanner>{error}</ErrorBanner>}
          {!drafts && error === undefined && <LoadingText>Loading drafts...</LoadingText>}
          {drafts?.length === 0 && <DialogContentText>No drafts yet. What you type is saved here.</DialogContentText>}
          <DialogList>
            {drafts?.map((some) => (
              <li key={some._id}>
                <div className="about">
                  <span className="name" lang={languageOf(some.title)}>
                    {nameOf(some)}
                  </span>
                  <span className="facts">{`Changed ${exactTime(some.updatedAt)}`}</span>
                </div>
                <div className="actions">
                  <Button variant="outlined" color="secondary" onClick={() => void openDraft(some)}>
                    Open<VisuallyHidden> {nameOf(some)}</VisuallyHidden>
                  </Button>
                  <Button variant="text" color="error" onClick={() => setToDelete(some)}>
                    Delete<VisuallyHidden> {nameOf(some)}</VisuallyHidden>
                  </Button>
                </div>
              </li>
            ))}
          </DialogList>
        </DialogContent>
        <DialogActions>
          <Button
            variant="text"
            color="secondary"
            onClick={() => {
              startNew()
              close()
            }}
          >
            New draft
          </Button>
          <Button variant="text" color="secondary" autoFocus onClick={close}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
      <ConfirmDialog
        open={toDelete !== undefined}
        question={`Delete the draft “${toDelete ? nameOf(toDelete) : ''}”?`}
        confirmText="Delete"
        destructive
        onConfirm={() => {
          if (toDelete) discard(toDelete)
          setToDelete(undefined)
        }}
        onCancel={() => setToDelete(undefined)}
      />
    </>
  )
}
