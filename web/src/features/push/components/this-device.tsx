import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState, type ReactNode } from 'react'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { BellIcon, CheckIcon, InfoIcon } from '../../../ui/icons.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { unblockHint, type BrowserState } from '../push-state.ts'
import { turnPushOff, turnPushOn } from '../turn-push.ts'
import { HomeScreenSteps } from './home-screen-steps.tsx'

const Panel = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: theme.spacing(1, 3),
  '& > svg': { marginTop: 1, color: theme.vars.palette.text.secondary },
  '& > svg.on': { color: theme.vars.palette.portal.tones.green.text },
  '& > .rest': { gridColumn: 2, display: 'grid', justifyItems: 'start', gap: theme.spacing(4) },
}))

type StateProps = {
  readonly icon: ReactNode
  readonly title: string
  readonly detail: string
  readonly children?: ReactNode
}

const State = ({ icon, title, detail, children }: StateProps) => (
  <Panel>
    {icon}
    <Typography variant="subtitle1" component="p" role="status">
      {title}
    </Typography>
    <div className="rest">
      <Typography variant="body2" color="textSecondary">
        {detail}
      </Typography>
      {children}
    </div>
  </Panel>
)

type SwitchProps = {
  /** The id of this device, if it is registered. */
  readonly id: string | undefined
  readonly onChange: () => Promise<unknown>
  /** The button is about to disappear. */
  readonly onBlocked: () => void
}

const subject = 'push'

/** One button for both directions, so that it keeps the focus. */
const Switch = ({ id, onChange, onBlocked }: SwitchProps) => {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const turnOn = async () => {
    const turned = await turnPushOn()
    if (turned === 'not-permitted') onBlocked()
    if (turned === 'failed') toast.error('Notifications could not be turned on. Please try again.', { subject })
  }
  const turnOff = async (device: string) => {
    const answer = await turnPushOff(device)
    if (!answer.success) toast.error(answer.message, { subject })
  }
  const press = async () => {
    setBusy(true)
    toast.dismiss(subject)
    await (id === undefined ? turnOn() : turnOff(id))
    await onChange()
    setBusy(false)
  }
  return (
    <BusyButton
      busy={busy}
      variant={id === undefined ? 'contained' : 'outlined'}
      color={id === undefined ? 'primary' : 'secondary'}
      onClick={press}
    >
      {id === undefined ? 'Turn on' : 'Turn off'}
    </BusyButton>
  )
}

type ThisDeviceProps = SwitchProps & { readonly browser: BrowserState }

/** Whether this device gets notifications, in words, and the one action that helps. */
export const ThisDevice = ({ browser, ...rest }: ThisDeviceProps) => {
  if (browser === 'needs-home-screen')
    return (
      <State
        icon={<InfoIcon size={22} />}
        title="Add the portal to your Home Screen first"
        detail="On iPhone and iPad, only apps on the Home Screen get notifications."
      >
        <HomeScreenSteps />
      </State>
    )
  if (browser === 'unsupported')
    return (
      <State
        icon={<InfoIcon size={22} />}
        title="Notifications are not possible in this browser"
        detail="Private windows and old browsers cannot show them. Open the portal in a current version of Chrome, Edge, Firefox or Safari."
      />
    )
  if (browser === 'denied')
    return (
      <State
        icon={<InfoIcon size={22} />}
        title="Your browser blocks notifications"
        detail={unblockHint(window.navigator.userAgent)}
      />
    )
  if (browser === 'granted' && rest.id !== undefined)
    return (
      <State
        icon={<CheckIcon className="on" size={22} weight={2.25} />}
        title="Notifications are on"
        detail="This device shows new notifications even while the portal is closed."
      >
        <Switch {...rest} />
      </State>
    )
  return (
    <State
      icon={<BellIcon size={22} />}
      title="Notifications are off"
      detail={
        browser === 'default'
          ? 'Your browser asks for your permission when you turn them on.'
          : 'This device shows new notifications only while the portal is open.'
      }
    >
      <Switch {...rest} id={undefined} />
    </State>
  )
}
