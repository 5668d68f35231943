import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { useInstallOffer } from '../../../lib/install-offer.ts'
import { isIos } from '../../../lib/is-ios.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { InstallIcon } from '../../../ui/page-icons.tsx'

/** Other browsers of iOS have the command in menus of their own. */
const isSafariOnIos = (): boolean => isIos() && /version\/[\d.]+.* safari\//i.test(window.navigator.userAgent)

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(4),
  width: '100%',
  minHeight: 56,
  paddingBlock: theme.spacing(2),
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
  fontFamily: theme.typography.fontFamily,
  fontSize: theme.typography.body1.fontSize,
  fontWeight: 600,
  textAlign: 'left',
  '& small': { ...theme.typography.body2, display: 'block', color: theme.vars.palette.text.secondary },
  '& svg': { flex: 'none', color: theme.vars.palette.text.secondary },
}))

/** Installs the portal as an app, where the browser can. Put it last on a page: the offer can come at any time. */
export const InstallRow = () => {
  const install = useInstallOffer()
  const isInstalled = useMedia('(display-mode: standalone)')
  if (isInstalled) return null
  if (install)
    return (
      <Row as={ButtonBase} onClick={install}>
        Install the app
        <InstallIcon size={20} />
      </Row>
    )
  if (!isSafariOnIos()) return null
  return (
    <Row>
      <span>
        Install the app
        <small>Tap Share, then Add to Home Screen</small>
      </span>
      <InstallIcon size={20} />
    </Row>
  )
}
