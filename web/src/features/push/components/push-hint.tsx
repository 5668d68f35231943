import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { CloseIcon } from '../../../ui/icons.tsx'
import { type BrowserState, useBrowserState } from '../push-state.ts'

const maxTimesClosed = 2

const timesClosed = (): number => Number(readStored('push_hint_closed')) || 0

const Line = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2),
  margin: theme.spacing(-2, 0, 2),
  color: theme.vars.palette.text.secondary,
  '& a': { color: theme.vars.palette.primary.main, fontWeight: 600 },
  // Aligns the cross with the edge of the list.
  '& button': { marginRight: theme.spacing(-3) },
}))

const Words = ({ browser }: { browser: BrowserState }) => {
  if (browser === 'granted') return <span>Notifications are on for this device.</span>
  const [says, action] =
    browser === 'default'
      ? ['Get notifications on this device.', 'Turn on']
      : ['Notifications are off.', 'How to allow']
  return (
    <span>
      {says} <Link to="/profile/notifications">{action}</Link>
    </span>
  )
}

/**
 * Says that this device can get notifications, if its user has not decided. Once the user has, it says so in the same place, because
 * the list below must not move. A user closes it twice at most.
 */
export const PushHint = ({ onClose }: { onClose: () => void }) => {
  const browser = useBrowserState(false)
  const [wasUndecided] = useState(browser === 'default')
  const [isClosed, setClosed] = useState(() => timesClosed() >= maxTimesClosed)
  if (isClosed || !wasUndecided) return null
  const close = () => {
    writeStored('push_hint_closed', String(timesClosed() + 1))
    // The button disappears.
    onClose()
    setClosed(true)
  }
  return (
    <Line>
      <Words key={browser} browser={browser} />
      <IconButton aria-label="Close this hint" onClick={close}>
        <CloseIcon size={18} weight={2} />
      </IconButton>
    </Line>
  )
}
