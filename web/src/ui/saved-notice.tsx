import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { exactTime } from './time.tsx'
import type { SavedDraft } from '../lib/saved-draft/use-saved-draft.ts'

const unsavedText = 'Saved on this device only. The portal gets it as soon as it answers.'

/** Where the draft is saved. Asks if it was changed on two devices. */
export const SavedNotice = ({ saved }: { readonly saved: SavedDraft }) => {
  const { state } = saved
  switch (state.kind) {
    case 'none':
      return null
    case 'saved':
      return (
        <Typography variant="caption" color="text.secondary">
          Draft saved
        </Typography>
      )
    case 'unsaved':
      return (
        <Typography variant="body2" role="status">
          {state.message === undefined ? unsavedText : `${state.message}. The draft is saved on this device only.`}
        </Typography>
      )
    case 'changed':
      return (
        <Typography variant="body2" role="status" component="div">
          <span>{`This draft was also changed elsewhere, ${exactTime(state.at)}.`}</span>
          <Button variant="text" color="secondary" size="small" onClick={saved.useTheirs}>
            Use that version
          </Button>
          <Button variant="text" color="secondary" size="small" onClick={saved.keepOwn}>
            Keep this one
          </Button>
        </Typography>
      )
  }
}
