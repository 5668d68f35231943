import Typography from '@mui/material/Typography'
import type { Preferences } from '@portal/contracts/notifications/preferences'
import { ChannelChoices } from './channel-choices.tsx'
import { QuietHoursFields } from './quiet-hours-fields.tsx'

type PreferencesSectionsProps = {
  readonly preferences: Preferences
  readonly emailAvailable: boolean
  readonly onChange: (preferences: Preferences) => void
}

/** What the user gets on all devices, and when. */
export const PreferencesSections = ({ preferences, emailAvailable, onChange }: PreferencesSectionsProps) => (
  <>
    <section aria-labelledby="channels">
      <Typography variant="h2" id="channels">
        What reaches this account
      </Typography>
      <Typography variant="body2" color="textSecondary">
        Your inbox always gets everything. What an admin marks as urgent comes anyway, at any hour.
      </Typography>
      <ChannelChoices preferences={preferences} emailAvailable={emailAvailable} onChange={onChange} />
      {!emailAvailable && (
        <Typography variant="body2" color="textSecondary">
          Email is off, because this portal has no mail server.
        </Typography>
      )}
    </section>
    <section aria-labelledby="quiet-hours">
      <Typography variant="h2" id="quiet-hours">
        Quiet hours
      </Typography>
      <Typography variant="body2" color="textSecondary">
        Pushes wait until the quiet hours end, and then come as one. Your inbox is up to date all the time.
      </Typography>
      <QuietHoursFields
        quietHours={preferences.quietHours}
        onChange={(quietHours) => onChange({ ...preferences, quietHours })}
      />
    </section>
  </>
)
