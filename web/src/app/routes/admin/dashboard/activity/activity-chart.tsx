import type { ActivityDay } from '@portal/contracts/notifications/http'
import { PairedBars } from '../../../../../features/campaigns/components/paired-bars.tsx'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import { dayLabel, sendsText } from './activity.ts'

type ActivityChartProps = { readonly days: readonly ActivityDay[]; readonly heightPx: number }

/** Deliveries and reads of each day. */
export const ActivityChart = ({ days, heightPx }: ActivityChartProps) => (
  <PairedBars
    heightPx={heightPx}
    labels={days.map(({ date }) => dayLabel(date))}
    delivered={{
      label: 'Sent to recipients',
      values: days.map(({ delivered }) => delivered),
      textOf: (value, index) => `${formatCount(value)} (${sendsText(days[index]?.sends ?? 0)})`,
    }}
    read={{ label: 'Read by recipients', values: days.map(({ reads }) => reads) }}
  />
)
