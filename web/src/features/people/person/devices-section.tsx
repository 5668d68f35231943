import Typography from '@mui/material/Typography'
import type { getPerson } from '@portal/contracts/notifications/people'
import type { z } from 'zod'
import { dayText } from '../../../ui/time.tsx'
import { PersonRows, PersonSection } from './person-section.tsx'

type Device = NonNullable<z.output<typeof getPerson.response>['devices']>[number]

const factsOf = ({ addedAt, usedAt }: Device): string =>
  [
    ...(addedAt === undefined ? [] : [`Added ${dayText(addedAt)}`]),
    ...(usedAt === undefined ? [] : [`Last used ${dayText(usedAt)}`]),
  ].join(' · ')

/** The browsers on which a person gets pushes. */
export const DevicesSection = ({ devices }: { readonly devices: readonly Device[] }) => (
  <PersonSection id="devices" title="Devices">
    {devices.length === 0 ? (
      <Typography color="textSecondary">No device gets notifications.</Typography>
    ) : (
      <PersonRows>
        {devices.map((device, index) => (
          // Nothing that is shown identifies a device.
          <li key={index}>
            <span className="name">{device.name}</span>
            <span>{factsOf(device)}</span>
          </li>
        ))}
      </PersonRows>
    )}
  </PersonSection>
)
