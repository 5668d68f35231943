import { styled } from '@mui/material/styles'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { useOnline } from '../lib/use-online.ts'

/** At the foot of the window, and of the page: what is above stays where it is, and nothing is covered for good. */
const Foot = styled('div')(({ theme }) => ({
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
  background: theme.vars.palette.portal.tones.yellow.ground,
}))

/** Beneath every page for as long as there is no network. The frame stays, so that screen readers hear what comes into it. */
export const OfflineNotice = () => {
  const online = useOnline()
  return <Foot aria-live="polite">{!online && <Strip>{networkErrorMessage}</Strip>}</Foot>
}
