import { styled } from '@mui/material/styles'
import type { Preferences } from '@portal/contracts/notifications/preferences'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { CheckBox } from '../../../ui/check-box.tsx'

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  '& th, & td': { padding: 0 },
  '& th': { ...theme.typography.body1, textAlign: 'start', fontWeight: 500 },
  '& thead th': {
    ...theme.typography.subtitle2,
    paddingBottom: theme.spacing(1),
    color: theme.vars.palette.text.secondary,
  },
  '& thead th:not(:first-of-type)': { width: 64, textAlign: 'center' },
  '& tr': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
  // The whole cell is a target.
  '& label': { display: 'grid', placeItems: 'center', minHeight: theme.portal.sizes.target + 4, cursor: 'pointer' },
}))

const channels = { push: 'Push', email: 'Email' } as const
type Channel = keyof typeof channels

type ChannelChoicesProps = {
  readonly preferences: Preferences
  readonly emailAvailable: boolean
  readonly onChange: (preferences: Preferences) => void
}

/** Which types of notifications reach the user besides the inbox, and how. */
export const ChannelChoices = ({ preferences, emailAvailable, onChange }: ChannelChoicesProps) => {
  const shown: readonly Channel[] = emailAvailable ? ['push', 'email'] : ['push']
  return (
    <Table>
      <thead>
        <tr>
          <th scope="col">Type</th>
          {shown.map((channel) => (
            <th key={channel} scope="col">
              {channels[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {notificationTypes.map((type) => (
          <tr key={type}>
            <th scope="row">{type}</th>
            {shown.map((channel) => (
              <td key={channel}>
                <label>
                  <CheckBox
                    type="checkbox"
                    aria-label={`${type}: ${channels[channel]}`}
                    checked={preferences[channel][type]}
                    onChange={({ target }) =>
                      onChange({ ...preferences, [channel]: { ...preferences[channel], [type]: target.checked } })
                    }
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
