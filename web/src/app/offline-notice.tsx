import { styled } from '@mui/material/styles'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { useOnline } from '../lib/use-online.ts'

const Strip = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  padding: theme.spacing(2, 5),
  paddingTop: `calc(env(safe-area-inset-top) + ${theme.spacing(2)})`,
  textAlign: 'center',
  color: theme.vars.palette.portal.tones.yellow.text,
  background: theme.vars.palette.portal.tones.yellow.ground,
}))

/** Above every page for as long as there is no network. The frame stays, so that screen readers hear what comes into it. */
export const OfflineNotice = () => {
  const online = useOnline()
  return <div aria-live="polite">{!online && <Strip>{networkErrorMessage}</Strip>}</div>
}
