import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { logIn } from '@portal/contracts/auth/http'
import type { User } from '@portal/contracts/auth/user'
import { lazy, startTransition, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router-dom'
import { knownEmailOf, loginStateOf, postLoginRedirect } from '../../lib/post-login-redirect.ts'
import type { Failure } from '../../lib/http.ts'
import { loadForPage } from '../../lib/load-module.ts'
import { useSessionState } from '../../lib/session.ts'
import { useTextForm } from '../../lib/text-form.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { signIn } from '../../features/auth/api.ts'
import {
  Aside,
  AuthLink,
  AuthPage,
  Form,
  Notice,
  ProgramFacts,
  ProgramsButton,
  useRedirect,
} from '../../features/auth/auth-page.tsx'
import { FormFailure, useFormFailure } from '../../features/auth/form-failure.tsx'
import { PartnerLogos } from '../../features/auth/partner-logos.tsx'

const SecondStep = lazy(async () => ({
  default: (await loadForPage(() => import('./login-second-step.tsx'))).SecondStep,
}))

const redirectAfterMs = 1000

/** A newer toast of the form replaces the older one. */
const subject = 'login'

/** The message of the server, or a default that depends on whether the server rejected the login or failed. */
const loginErrorText = ({ message, code }: Failure): string =>
  message || (code === undefined || code === 'internal' ? 'An error occurred during login' : 'Invalid credentials')

const neverChanges = () => () => undefined

/** False for what the build renders (build/render-page.tsx), until the application has taken over. */
const useHydrated = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )

export const LoginPage = () => {
  const { state: routerState } = useLocation()
  const session = useSessionState()
  const redirect = useRedirect()
  const toast = useToast()
  const isHydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const requestFailure = useFormFailure(subject)
  const [asked, setAsked] = useState<{ readonly step: Failure['secondStep']; readonly personalEmail: string }>()
  const secondStep = asked?.step
  const { personalEmail } = asked ?? { personalEmail: knownEmailOf(routerState) }
  const { field, handleSubmit, setFocus } = useTextForm(logIn.body, { personalEmail, password: '' })
  // A user who comes from a public page has chosen to log in, even if an earlier session has ended.
  const wasSentHere = loginStateOf(routerState) !== null
  const hasEnded = wasSentHere && session.kind === 'anonymous' && session.reason === 'ended'

  const focusPassword = useEffectEvent(() => setFocus('password'))
  useEffect(() => {
    if (!secondStep && personalEmail !== '') focusPassword()
  }, [personalEmail, secondStep])

  const finish = ({ role }: User) => {
    toast.success('Login successful! Redirecting...', { subject })
    redirect(postLoginRedirect(role, routerState), redirectAfterMs)
  }

  const submit = handleSubmit(async (credentials) => {
    setBusy(true)
    requestFailure.clear()
    const answer = await signIn(credentials)
    if (answer.success) return finish(answer.data)
    const { secondStep: step } = answer
    const { personalEmail: typed } = credentials
    // The form stays until the next one has loaded.
    if (step) return startTransition(() => setAsked({ step, personalEmail: typed }))
    setBusy(false)
    requestFailure.show(loginErrorText(answer))
    setFocus('password', { shouldSelect: true })
  })

  if (secondStep)
    return (
      <SecondStep
        step={secondStep}
        onLoggedIn={finish}
        onBack={(reason) => {
          setAsked({ step: undefined, personalEmail })
          setBusy(false)
          if (reason !== undefined) requestFailure.show(reason)
        }}
      />
    )

  return (
    <AuthPage
      title="Welcome back"
      subtitle="Log in with your personal email to access your minor programs."
      above={<ProgramFacts />}
      footer={<PartnerLogos />}
    >
      {session.kind === 'anonymous' && session.farewell !== undefined && <Notice>{session.farewell}</Notice>}
      {hasEnded && <Notice>Your session has ended. Please log in again.</Notice>}
      <Form noValidate inert={!isHydrated} onSubmit={submit} onChange={requestFailure.onEdit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...field('personalEmail')}
        />
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            required
            {...field('password')}
            {...(requestFailure.message !== undefined && { describedBy: 'login-failure' })}
          />
          <Aside>
            <Link component={AuthLink} to="/reset-password" variant="body2">
              Forgot Password?
            </Link>
          </Aside>
        </div>
        <FormFailure id="login-failure" message={requestFailure.message} />
        <BusyButton type="submit" size="large" fullWidth busy={busy} busyText="Logging in...">
          Login
        </BusyButton>
        <ProgramsButton />
      </Form>
      <Typography align="center" color="textSecondary">
        New here?{' '}
        <Link component={AuthLink} to="/register">
          Sign Up
        </Link>
      </Typography>
    </AuthPage>
  )
}
