import { styled } from '@mui/material/styles'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { useAtomValue } from 'jotai'
import { areUpdatesPausedAtom, useOnline } from '../lib/use-online.ts'

/** Sticks to the bottom of the window and takes space of its own, so that it never covers content permanently. */
const StickyFooter = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  zIndex: theme.zIndex.appBar,
}))

const Strip = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  padding: theme.spacing(2, 5),
  paddingBottom: `calc(var(--below-notice, env(safe-area-inset-bottom)) + ${theme.spacing(2)})`,
  textAlign: 'center',
  color: theme.vars.palette.portal.tones.yellow.text,
  background: theme.vars.palette.portal.tones.yellow.background,
}))

/**
 * Shown below every page while the browser is offline, or the server cannot be reached. The live region stays mounted, so that
 * screen readers announce its content.
 */
export const OfflineNotice = () => {
  const online = useOnline()
  const isPaused = useAtomValue(areUpdatesPausedAtom)
  const pausedText = isPaused && 'Live updates are paused until the connection is back.'
  const text = online ? pausedText : networkErrorMessage
  return <StickyFooter aria-live="polite">{text && <Strip>{text}</Strip>}</StickyFooter>
}
