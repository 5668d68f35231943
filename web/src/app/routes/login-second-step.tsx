import Button from '@mui/material/Button'
import { beginRequiredTotp, confirmRequiredTotp, takeSecondStep } from '@portal/contracts/auth/second-factor'
import type { User } from '@portal/contracts/auth/user'
import type { Problem } from '@portal/contracts/shared/problem'
import { useState } from 'react'
import { AuthPage, Choices } from '../../features/auth/auth-page.tsx'
import { CodeForm } from '../../features/security/components/code-form.tsx'
import { RecoveryCodes } from '../../features/security/components/recovery-codes.tsx'
import { TotpSetUp, type OfferedTotp } from '../../features/security/components/totp-set-up.tsx'
import { call, type Failure } from '../../lib/http.ts'
import { startSession } from '../../lib/session.ts'
import { BusyButton } from '../../ui/busy-button.tsx'

type SecondStepProps = {
  readonly step: NonNullable<Problem['secondStep']>
  readonly onLoggedIn: (user: User) => void
  /** Back to the password; with the reason, if the challenge is no longer valid. */
  readonly onBack: (reason?: string) => void
}

/** A challenge that has expired cannot be answered; any other failure is shown at the form. */
const failureAt = (failure: Failure, onBack: SecondStepProps['onBack']): Failure => {
  if (failure.code === 'unauthenticated') onBack(failure.message)
  return failure
}

const BackToPassword = ({ onBack }: Pick<SecondStepProps, 'onBack'>) => (
  <Button variant="text" color="secondary" onClick={() => onBack()}>
    Back to password
  </Button>
)

const EnterCode = ({ step: { challenge }, onLoggedIn, onBack }: SecondStepProps) => {
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const take = async (code: string): Promise<Failure | undefined> => {
    const answer = await call(takeSecondStep, { body: { challenge, code } })
    if (!answer.success) return failureAt(answer, onBack)
    const { user, token } = answer.data.data
    startSession({ user, token })
    onLoggedIn(user)
    return undefined
  }
  return (
    <AuthPage
      title="Two-step verification"
      subtitle={
        kind === 'app'
          ? 'Enter the six digits that your authenticator app shows.'
          : 'Enter one of the codes that you kept when you turned it on. Each works once.'
      }
    >
      <CodeForm key={kind} kind={kind} submitText="Login" busyText="Logging in..." onCode={take}>
        <Choices>
          <Button variant="text" color="secondary" onClick={() => setKind(kind === 'app' ? 'recovery' : 'app')}>
            <span>{kind === 'app' ? 'Use a recovery code' : 'Use your authenticator app'}</span>
          </Button>
          <BackToPassword onBack={onBack} />
        </Choices>
      </CodeForm>
    </AuthPage>
  )
}

const SetUp = ({ step: { challenge }, onLoggedIn, onBack }: SecondStepProps) => {
  const [offer, setOffer] = useState<OfferedTotp>()
  const [enrolled, setEnrolled] = useState<{ readonly user: User; readonly codes: readonly string[] }>()
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    const answer = await call(beginRequiredTotp, { body: { challenge } })
    if (answer.success) setOffer(answer.data)
    else onBack(answer.message)
  }
  const confirm = async (code: string): Promise<Failure | undefined> => {
    const answer = await call(confirmRequiredTotp, { body: { challenge, code } })
    if (!answer.success) return failureAt(answer, onBack)
    const { user, token } = answer.data.data
    startSession({ user, token })
    setEnrolled({ user, codes: answer.data.recoveryCodes })
    return undefined
  }
  return (
    <AuthPage
      title="Two-step verification"
      {...(!enrolled && { subtitle: 'Admins of this portal log in with their password and a code from an app.' })}
    >
      {enrolled ? (
        <RecoveryCodes codes={enrolled.codes} doneText="Continue" onDone={() => onLoggedIn(enrolled.user)} />
      ) : offer ? (
        <TotpSetUp offer={offer} onCode={confirm}>
          <BackToPassword onBack={onBack} />
        </TotpSetUp>
      ) : (
        <Choices>
          <BusyButton size="large" autoFocus busy={busy} onClick={() => void begin()}>
            Set it up
          </BusyButton>
          <BackToPassword onBack={onBack} />
        </Choices>
      )}
    </AuthPage>
  )
}

/** What a login needs after the password. Most logins need nothing, so this is not part of the login page. */
export const SecondStep = (props: SecondStepProps) =>
  props.step.kind === 'code' ? <EnterCode {...props} /> : <SetUp {...props} />
