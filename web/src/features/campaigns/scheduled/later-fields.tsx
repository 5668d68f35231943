import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { latestSendAtMs } from '@portal/contracts/notifications/send-time'
import { indiaZone } from '@portal/contracts/shared/india-time'
import { useEffect, useId, useRef } from 'react'
import { serverNowMs } from '../../../lib/server-clock.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf, ownTime, sendAtMsOf, type TimeFields } from './send-time.ts'

const Group = styled('fieldset')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: theme.spacing(2, 4),
  minWidth: 0,
  margin: 0,
  padding: theme.spacing(4),
  border: 'none',
  borderRadius: theme.portal.radii.sheet,
  background: theme.vars.palette.portal.accentSoft,
  '& > legend': { float: 'left', padding: 0 },
  '& > legend, & > p': { gridColumn: '1 / -1' },
}))

const noteOf = (fields: TimeFields): string => {
  const sendAtMs = sendAtMsOf(fields)
  const own = sendAtMs === undefined ? undefined : ownTime(sendAtMs)
  return own === undefined ? '' : ` Where you are: ${own}.`
}

type LaterFieldsProps = {
  readonly fields: TimeFields
  readonly error: string | undefined
  readonly takesFocus: boolean
  readonly onChange: (fields: TimeFields) => void
}

/** The date and the time of a send for later. */
export const LaterFields = ({ fields, error, takesFocus, onChange }: LaterFieldsProps) => {
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (takesFocus) group.current?.querySelector('input')?.focus()
  }, [takesFocus])
  const nowMs = serverNowMs()
  return (
    <Group ref={group} aria-describedby={id}>
      <Typography component="legend" variant="subtitle1">
        Send later
      </Typography>
      <DateField
        label="Date"
        value={fields.date}
        min={fieldsOf(nowMs).date}
        max={fieldsOf(latestSendAtMs(nowMs)).date}
        onChange={(date) => onChange({ ...fields, date })}
      />
      <TextField
        label="Time"
        type="time"
        value={fields.time}
        onChange={({ target }) => onChange({ ...fields, time: target.value })}
      />
      <Typography id={id} variant="body2" color={error === undefined ? 'textSecondary' : 'error'} aria-live="polite">
        {error ?? `In ${indiaZone.name} (${indiaZone.shortName}).${noteOf(fields)}`}
      </Typography>
    </Group>
  )
}
