import { getPreferences } from '@portal/contracts/notifications/preferences'
import { call } from '../../../../../lib/http.ts'
import { useRequestQuery } from '../../../../../lib/query.ts'

/** Says what a portal without a mail server leaves to the admin. */
export const MailNote = ({ children }: { readonly children: string }) => {
  const { state } = useRequestQuery({
    key: ['mail-available'],
    request: (signal) => call(getPreferences, { signal }),
  })
  const hasNoMail = state.kind === 'loaded' && !state.data.emailAvailable
  return (
    <span role="status">
      {hasNoMail
        ? `${children} No email goes out, because the portal has no mail server: ask these people to register.`
        : children}
    </span>
  )
}
