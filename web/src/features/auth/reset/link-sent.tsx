import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef } from 'react'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { AuthLink } from '../auth-link.tsx'
import { AuthPage, Choices } from '../auth-page.tsx'
import { useCountdown } from '../registration/use-countdown.ts'

const Told = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(4),
  borderLeft: `3px solid ${theme.vars.palette.primary.main}`,
  backgroundColor: theme.vars.palette.portal.accentSoft,
  overflowWrap: 'anywhere',
  '& p': { margin: 0 },
  '& b': { fontWeight: 600 },
}))

/** Two words to press, the first with its wait. */
const IfNothing = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  marginInline: theme.spacing(-3),
  '& > :last-child': { marginLeft: 'auto' },
}))

const Wait = styled('span')(({ theme }) => ({
  ...theme.typography.body2,
  color: theme.vars.palette.text.secondary,
  fontVariantNumeric: 'tabular-nums',
}))

type LinkSentProps = {
  readonly address: string
  readonly busy: boolean
  /** ms since 1970. */
  readonly resendFrom: number
  readonly onResend: () => void
  readonly onOtherAddress: () => void
}

/** Step 2, until the link is followed: what to do now, and what if nothing comes. */
export const LinkSent = ({ address, busy, resendFrom, onResend, onOtherAddress }: LinkSentProps) => {
  const waitId = useId()
  const told = useRef<HTMLDivElement>(null)
  const seconds = useCountdown(resendFrom)
  const waits = seconds > 0

  // The button that had the keyboard's focus is gone.
  useEffect(() => told.current?.focus(), [])

  return (
    <AuthPage title="Check your email" subtitle="The next step is in your mailbox.">
      <Told ref={told} tabIndex={-1} role="status">
        <p>
          If <b>{address}</b> belongs to an account, a link to set a new password is on its way.
        </p>
        <p>It works once, for 30 minutes. If nothing comes, look into the spam folder too.</p>
      </Told>
      <Choices>
        <Button component={AuthLink} to="/login" size="large" fullWidth>
          Back to Login
        </Button>
        <IfNothing>
          {/* Busy while it waits, rather than disabled: whoever has just pressed it keeps the focus. */}
          <BusyButton
            variant="text"
            size="small"
            busy={busy || waits}
            {...(waits && { 'aria-describedby': waitId })}
            onClick={onResend}
          >
            Resend Link
          </BusyButton>
          {waits && <Wait id={waitId}>in {seconds} s</Wait>}
          <Button variant="text" size="small" onClick={onOtherAddress}>
            Use another email
          </Button>
        </IfNothing>
      </Choices>
    </AuthPage>
  )
}
