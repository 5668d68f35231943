import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { CloseIcon } from '../../../ui/icons.tsx'
import { useBrowserState } from '../push-state.ts'

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

/** Says that this device can get notifications, while its user has not decided. A user closes it twice at most. */
export const PushHint = ({ onClose }: { onClose: () => void }) => {
  const browser = useBrowserState(false)
  const [isClosed, setClosed] = useState(() => timesClosed() >= maxTimesClosed)
  if (isClosed || browser !== 'default') return null
  const close = () => {
    writeStored('push_hint_closed', String(timesClosed() + 1))
    // The button disappears.
    onClose()
    setClosed(true)
  }
  return (
    <Line>
      <span>
        Get notifications on this device. <Link to="/profile/notifications">Turn on</Link>
      </span>
      <IconButton aria-label="Close this hint" onClick={close}>
        <CloseIcon size={18} weight={2} />
      </IconButton>
    </Line>
  )
}
