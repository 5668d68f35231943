import { indiaZone } from '@portal/contracts/shared/india-time'

export const india = 'Asia/Kolkata'

/** Browsers call India's zone by its name of today or by that of before. */
const isIndia = (timeZone: string): boolean => timeZone === india || timeZone === 'Asia/Calcutta'

/** The zone of this device, as Intl names it. */
export const deviceZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat('en-US').resolvedOptions()
  return isIndia(timeZone) ? india : timeZone
}

/** 'India Standard Time', 'Central European Time (Berlin)'. */
export const zoneName = (timeZone: string): string => {
  if (isIndia(timeZone)) return indiaZone.name
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
  const name = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ')
  return place === undefined || name.includes(place) ? name : `${name} (${place})`
}
