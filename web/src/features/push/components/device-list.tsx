import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { removeDevice, type Device } from '@portal/contracts/notifications/devices'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { dayName, dayText, useToday } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { sendTest, type TestResult } from '../test-device.ts'

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    display: 'grid',
    gap: theme.spacing(1),
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .name': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 2), fontWeight: 600 },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
  // Rendered also without a text, because screen readers announce only changes of an existing element.
  '& p:empty': { marginTop: theme.spacing(-1) },
  // Aligns the text of the buttons with the texts above.
  '& .actions': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2), marginInline: theme.spacing(-3) },
}))

const checkSystem = 'If you did not see it, check the notification settings of your system.'

const textOf = ({ isThis }: Device, result: TestResult): string => {
  if (result.kind !== 'accepted') return result.message
  if (!isThis) return 'Sent. Look at that device.'
  if (result.shownAfterMs === undefined) return `Sent, but not shown within 10 seconds. ${checkSystem}`
  return `Shown after ${(result.shownAfterMs / 1_000).toFixed(1)} s. ${checkSystem}`
}

const textOfDays = ({ addedAt, usedAt, isThis }: Device, todayMs: number): string => {
  const added = addedAt === undefined ? [] : [`Added ${dayText(addedAt)}`]
  if (usedAt === undefined || isThis) return added.join('')
  const day = (dayName(usedAt, todayMs) ?? dayText(usedAt)).replace('Today', 'today').replace('Yesterday', 'yesterday')
  return [...added, `Last used ${day}`].join(' · ')
}

type RowProps = { readonly device: Device; readonly onRemove: () => void; readonly onGone: (message: string) => void }

const DeviceRow = ({ device, onRemove, onGone }: RowProps) => {
  const [isTesting, setTesting] = useState(false)
  const [outcome, setOutcome] = useState('')
  const { name, isThis } = device
  const today = useToday()
  const test = async () => {
    setTesting(true)
    setOutcome(isThis ? 'Waiting for this device to show it' : '')
    const result = await sendTest(device)
    setTesting(false)
    setOutcome(textOf(device, result))
    if (result.kind === 'gone') onGone(result.message)
  }
  return (
    <li>
      <div className="name">
        {name}
        {isThis && <ToneBadge tone="green">This device</ToneBadge>}
      </div>
      <p>{textOfDays(device, today)}</p>
      <div className="actions">
        <BusyButton busy={isTesting} variant="text" size="small" onClick={test}>
          Send a test
          <VisuallyHidden>{` to ${name}`}</VisuallyHidden>
        </BusyButton>
        {!isThis && (
          <Button variant="text" size="small" color="secondary" onClick={onRemove}>
            <span>
              Remove
              <VisuallyHidden>{` ${name}`}</VisuallyHidden>
            </span>
          </Button>
        )}
      </div>
      <p role="status">{outcome}</p>
    </li>
  )
}

type DeviceListProps = {
  readonly devices: readonly Device[]
  readonly onChange: () => Promise<unknown>
  /** A row with the focus has disappeared. */
  readonly onRemoved: () => void
}

const subject = 'device'

/** The devices that get the user's notifications. This one is turned off above the list instead. */
export const DeviceList = ({ devices, onChange, onRemoved }: DeviceListProps) => {
  const [asked, setAsked] = useState<Device | null>(null)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const remove = async (device: Device) => {
    setBusy(true)
    const answer = await call(removeDevice, { params: { id: device.id } })
    setBusy(false)
    // The dialog returns the focus to a button, which then disappears.
    setAsked(null)
    await onChange()
    if (!answer.success && answer.code !== 'not-found') return toast.error(answer.message, { subject })
    onRemoved()
    return toast.success(`${device.name} removed`, { subject })
  }
  const onGone = async (message: string) => {
    toast.error(message, { subject })
    await onChange()
    onRemoved()
  }
  return (
    <>
      <List>
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} onRemove={() => setAsked(device)} onGone={onGone} />
        ))}
      </List>
      <ConfirmDialog
        open={asked !== null}
        question={asked === null ? '' : `Remove ${asked.name}?`}
        consequence="It gets no more notifications until they are turned on there again."
        confirmText="Remove"
        destructive
        busy={busy}
        onConfirm={() => asked && void remove(asked)}
        onCancel={() => setAsked(null)}
      />
    </>
  )
}
