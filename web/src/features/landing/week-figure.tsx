import { styled } from '@mui/material/styles'
import { facts, hoursText } from './facts.ts'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const firstHour = 8
const lastHour = 23
const degree = { fromHour: 9, toHour: 17 } as const

/** The first row contains the names of the days, the first column the hours. */
const rowOf = (hour: number) => hour - firstHour + 2
const rows = ({ fromHour, toHour }: { readonly fromHour: number; readonly toHour: number }) =>
  `${rowOf(fromHour)} / ${rowOf(toHour)}`

const Sheet = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: `auto repeat(${days.length}, minmax(0, 1fr))`,
  gridTemplateRows: `auto repeat(${lastHour - firstHour}, ${theme.spacing(4.5)})`,
  [theme.breakpoints.up('sm')]: { gridTemplateRows: `auto repeat(${lastHour - firstHour}, ${theme.spacing(6)})` },
  ...theme.typography.caption,
  fontVariantNumeric: 'tabular-nums',
}))

const Day = styled('span')(({ theme }) => ({
  padding: theme.spacing(0, 0, 2),
  textAlign: 'center',
  fontWeight: 600,
  color: theme.vars.palette.text.secondary,
}))

const Hour = styled('span')(({ theme }) => ({
  paddingRight: theme.spacing(3),
  textAlign: 'right',
  color: theme.vars.palette.text.secondary,
  // Centered on its line.
  transform: 'translateY(-9px)',
  whiteSpace: 'nowrap',
}))

const Line = styled('span')(({ theme }) => ({
  gridColumn: `2 / ${days.length + 2}`,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const Hours = styled('span')(({ theme }) => ({
  display: 'grid',
  placeContent: 'center',
  textAlign: 'center',
  fontWeight: 600,
  padding: theme.spacing(1),
  margin: '0 1px',
}))

const Degree = styled(Hours)(({ theme }) => ({
  color: theme.vars.palette.text.secondary,
  background: `repeating-linear-gradient(135deg, ${theme.vars.palette.divider} 0 1px, transparent 1px 8px)`,
  '& > span': { background: theme.vars.palette.background.default, padding: theme.spacing(1, 2) },
}))

const Minor = styled(Hours)(({ theme }) => ({
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
}))

const weekdayColumns = `2 / ${2 + facts.weekdays.days}`
const weekendColumns = `${2 + facts.weekdays.days} / ${2 + days.length}`

const hourName = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
const named = [facts.weekends.fromHour, facts.weekends.toHour, facts.weekdays.fromHour, facts.weekdays.toHour]

/** A timetable of the week: the degree by day, the Minor in the evening and on weekends. The caption says the same in words. */
export const WeekFigure = () => (
  <Sheet aria-hidden="true">
    {days.map((day, n) => (
      <Day key={day} style={{ gridColumn: n + 2, gridRow: 1 }}>
        {day}
      </Day>
    ))}
    {named.map((hour) => (
      <Line key={`line ${hour}`} style={{ gridRow: rowOf(hour) }} />
    ))}
    {named.map((hour) => (
      <Hour key={`hour ${hour}`} style={{ gridColumn: 1, gridRow: rowOf(hour) }}>
        {hourName(hour)}
      </Hour>
    ))}
    <Degree style={{ gridColumn: weekdayColumns, gridRow: rows(degree) }}>
      <span>Your degree</span>
    </Degree>
    <Minor style={{ gridColumn: weekdayColumns, gridRow: rows(facts.weekdays) }}>
      {`Minor, ${hoursText(facts.weekdays)}`}
    </Minor>
    <Minor style={{ gridColumn: weekendColumns, gridRow: rows(facts.weekends) }}>
      <span>Minor,</span> <span>{hoursText(facts.weekends)}</span>
    </Minor>
  </Sheet>
)
