import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { useCloseOnBack } from '../../lib/history-guard.ts'
import { useSession } from '../../lib/session.ts'

type Shortcut = { readonly keys: readonly string[]; readonly does: string; readonly for?: 'admins' | 'others' }

const isApple = /mac|iphone|ipad/i.test(window.navigator.platform)

const shortcuts: readonly Shortcut[] = [
  { keys: ['/'], does: 'Search the list' },
  { keys: ['j', 'k'], does: 'Older or newer notification', for: 'others' },
  { keys: ['u'], does: 'Mark the notification as unread', for: 'others' },
  { keys: [isApple ? '⌘' : 'Ctrl', '↵'], does: 'Send the notification, after a confirmation', for: 'admins' },
  { keys: [isApple ? '⌥' : 'Alt', 'Z'], does: 'Undo the last change' },
  { keys: ['↑', '↓'], does: 'Move within a list of people', for: 'admins' },
  { keys: ['?'], does: 'Show this list' },
]

const List = styled('dl')(({ theme }) => ({
  margin: 0,
  display: 'grid',
  gap: theme.spacing(3),
  '& > div': {
    display: 'flex',
    flexDirection: 'row-reverse',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(5),
  },
  '& dt': { display: 'flex', gap: theme.spacing(1) },
  '& dd': { margin: 0 },
  '& kbd': {
    ...theme.typography.subtitle2,
    minWidth: 28,
    padding: theme.spacing(0.5, 2),
    textAlign: 'center',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.portal.radii.control,
  },
}))

type ShortcutDialogProps = { readonly open: boolean; readonly onClose: () => void }

export const ShortcutDialog = ({ open, onClose }: ShortcutDialogProps) => {
  const id = useId()
  useCloseOnBack(open, onClose)
  const isAdmin = useSession()?.user.role === 'admin'
  const shown = shortcuts.filter((shortcut) => shortcut.for !== (isAdmin ? 'others' : 'admins'))
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} variant="h3">
        Keyboard shortcuts
      </DialogTitle>
      <DialogContent>
        <List>
          {shown.map(({ keys, does }) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </List>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
