import { styled } from '@mui/material/styles'
import type { QuietHours } from '@portal/contracts/notifications/preferences'
import { useState } from 'react'
import { CheckBox } from '../../../ui/check-box.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { deviceZone, india, zoneName } from '../time-zones.ts'

const Choice = styled('label')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(3),
  minHeight: theme.portal.sizes.target,
  cursor: 'pointer',
}))

const Times = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: theme.spacing(4),
  '& .zone': { gridColumn: '1 / -1', margin: 0 },
  '& p': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
}))

/** '00:00', '00:30' … '23:30' */
const halfHours = Array.from({ length: 48 }, (_, n) => `${String(n >> 1).padStart(2, '0')}:${n % 2 ? '30' : '00'}`)

/** '9:30 PM' */
const timeText = (time: string): string => {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** A time that was chosen elsewhere may be another than those offered. */
const timesBut = (other: string, chosen: string): readonly string[] =>
  [...new Set([...halfHours, chosen])].toSorted().filter((time) => time !== other)

type QuietHoursFieldsProps = {
  readonly quietHours: QuietHours | null
  readonly onChange: (quietHours: QuietHours | null) => void
}

/** Off, or from one time to another one in a zone. */
export const QuietHoursFields = ({ quietHours, onChange }: QuietHoursFieldsProps) => {
  const own = deviceZone()
  const [previous, setPrevious] = useState<QuietHours>({ from: '22:00', to: '07:00', timeZone: own })
  const turn = (isOn: boolean) => {
    if (quietHours) setPrevious(quietHours)
    onChange(isOn ? previous : null)
  }
  const zones = [...new Set([india, own, ...(quietHours ? [quietHours.timeZone] : [])])]
  return (
    <>
      <Choice>
        <CheckBox type="checkbox" checked={quietHours !== null} onChange={({ target }) => turn(target.checked)} />
        Hold pushes during quiet hours
      </Choice>
      {quietHours && (
        <Times>
          <SelectField
            label="From"
            value={quietHours.from}
            options={timesBut(quietHours.to, quietHours.from)}
            labelOf={timeText}
            onChange={(from) => onChange({ ...quietHours, from })}
          />
          <SelectField
            label="To"
            value={quietHours.to}
            options={timesBut(quietHours.from, quietHours.to)}
            labelOf={timeText}
            onChange={(to) => onChange({ ...quietHours, to })}
          />
          {zones.length === 1 ? (
            <p className="zone">{zoneName(quietHours.timeZone)}</p>
          ) : (
            <div className="zone">
              <SelectField
                label="Time zone"
                value={quietHours.timeZone}
                options={zones}
                labelOf={zoneName}
                onChange={(timeZone) => onChange({ ...quietHours, timeZone })}
              />
            </div>
          )}
        </Times>
      )}
    </>
  )
}
