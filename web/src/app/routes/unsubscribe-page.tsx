import Button from '@mui/material/Button'
import { unsubscribe } from '@portal/contracts/notifications/preferences'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { AuthPage, Choices, Notice } from '../../features/auth/auth-page.tsx'
import { FormFailure } from '../../features/auth/form-failure.tsx'
import { call } from '../../lib/http.ts'
import { BusyButton } from '../../ui/busy-button.tsx'

const SettingsLink = ({ children }: { readonly children: string }) => (
  <Button component={Link} to="/profile/notifications" size="large" variant="outlined" color="secondary" fullWidth>
    <span>{children}</span>
  </Button>
)

const Stopped = () => {
  const title = useRef<HTMLDivElement>(null)
  // The button that had the focus is unmounted.
  useEffect(() => title.current?.focus(), [])
  return (
    <AuthPage title="Emails stopped">
      <div ref={title} tabIndex={-1}>
        <Notice>You get no more emails about notifications. They are still in your inbox.</Notice>
      </div>
      <SettingsLink>Notification settings</SettingsLink>
    </AuthPage>
  )
}

/** Where the link in an e-mail leads. It changes nothing by itself, because mail scanners follow links. */
export const UnsubscribePage = () => {
  const [query] = useSearchParams()
  const [state, setState] = useState<'asking' | 'busy' | 'stopped'>('asking')
  const [failure, setFailure] = useState<string>()

  const stop = async () => {
    setState('busy')
    setFailure(undefined)
    const answer = await call(unsubscribe, { query: { token: query.get('token') ?? '' } })
    setState(answer.success ? 'stopped' : 'asking')
    if (!answer.success) setFailure(answer.message)
  }

  if (state === 'stopped') return <Stopped />
  return (
    <AuthPage title="Stop emails" subtitle="You will get no more emails about notifications. They stay in your inbox.">
      <Choices>
        <div role="alert">
          <FormFailure message={failure} />
        </div>
        <BusyButton size="large" fullWidth busy={state === 'busy'} onClick={() => void stop()}>
          Stop emails
        </BusyButton>
        <SettingsLink>Choose your emails instead</SettingsLink>
      </Choices>
    </AuthPage>
  )
}
