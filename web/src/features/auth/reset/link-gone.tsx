import Button from '@mui/material/Button'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { AuthPage, Choices, Notice } from '../auth-page.tsx'

export const linkNotValid = 'This link is not valid any more. Please request a new one.'

/** The link was used, replaced or left lying too long: no password that is typed here would do. */
export const LinkGone = () => {
  const wayOn = useRef<HTMLAnchorElement>(null)

  // The button that had the keyboard's focus is gone.
  useEffect(() => wayOn.current?.focus(), [])

  return (
    <AuthPage title="Set New Password">
      <Notice>{linkNotValid}</Notice>
      <Choices>
        <Button ref={wayOn} component={Link} to="/reset-password" replace size="large" fullWidth>
          Request a new link
        </Button>
        <Button component={Link} to="/login" size="large" variant="outlined" color="secondary" fullWidth>
          Back to Login
        </Button>
      </Choices>
    </AuthPage>
  )
}
