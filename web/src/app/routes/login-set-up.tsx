import Button from '@mui/material/Button'
import { addRequiredPasskey, beginRequiredPasskey } from '@portal/contracts/auth/passkeys'
import { beginRequiredTotp, confirmRequiredTotp } from '@portal/contracts/auth/second-factor'
import type { User } from '@portal/contracts/auth/user'
import { useState } from 'react'
import { AuthPage, Choices } from '../../features/auth/auth-page.tsx'
import { PasskeyForm } from '../../features/security/components/passkey-form.tsx'
import { RecoveryCodes } from '../../features/security/components/recovery-codes.tsx'
import { TotpSetUp, type OfferedTotp } from '../../features/security/components/totp-set-up.tsx'
import { createPasskey, supportsPasskeys } from '../../features/security/passkey.ts'
import { call, type Answer, type Failure } from '../../lib/http.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { BackToPassword, failureAt, startedBy, type SecondStepProps } from './login-step.tsx'

type Enrolled = { readonly user: User; readonly codes: readonly string[] }

type BeginSetUpProps = SecondStepProps & {
  readonly onOffer: (offer: OfferedTotp) => void
  readonly onEnrolled: (enrolled: Enrolled) => void
}

const canAddPasskey = ({ factors = [] }: SecondStepProps['step']): boolean =>
  factors.includes('passkey') && supportsPasskeys()

const addPasskey = async (challenge: string, signal: AbortSignal): Promise<Answer<Enrolled>> => {
  const begun = await call(beginRequiredPasskey, { body: { challenge } })
  if (!begun.success) return begun
  const created = await createPasskey(begun.data.options, signal)
  if (!created.success) return created
  const added = await call(addRequiredPasskey, { body: { challenge, credential: created.data } })
  if (!added.success) return added
  return { success: true, data: { user: startedBy(added.data), codes: added.data.recoveryCodes } }
}

/** An app, or a passkey where the browser can make one. */
const BeginSetUp = ({ step, onOffer, onEnrolled, onBack }: BeginSetUpProps) => {
  const { challenge } = step
  const [kind, setKind] = useState<'app' | 'passkey'>('app')
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    const answer = await call(beginRequiredTotp, { body: { challenge } })
    if (answer.success) onOffer(answer.data)
    else onBack(answer.message)
  }
  const add = async (signal: AbortSignal): Promise<Failure | undefined> => {
    const answer = await addPasskey(challenge, signal)
    if (!answer.success) return failureAt(answer, onBack)
    onEnrolled(answer.data)
    return undefined
  }
  if (kind === 'passkey') {
    return (
      <PasskeyForm text="Add a passkey" onPress={add}>
        <Button variant="text" color="secondary" onClick={() => setKind('app')}>
          Use an authenticator app instead
        </Button>
        <BackToPassword onBack={onBack} />
      </PasskeyForm>
    )
  }
  return (
    <Choices>
      <BusyButton size="large" autoFocus busy={busy} onClick={() => void begin()}>
        Set it up
      </BusyButton>
      {canAddPasskey(step) && (
        <Button variant="text" color="secondary" onClick={() => setKind('passkey')}>
          Use a passkey instead
        </Button>
      )}
      <BackToPassword onBack={onBack} />
    </Choices>
  )
}

/** For an admin who has no second factor and must have one. */
export const SetUp = (props: SecondStepProps) => {
  const { step, onLoggedIn, onBack } = props
  const { challenge } = step
  const [offer, setOffer] = useState<OfferedTotp>()
  const [enrolled, setEnrolled] = useState<Enrolled>()
  const andWhat = canAddPasskey(step) ? ', and a passkey or a code from an app' : ' and a code from an app'
  const confirm = async (code: string): Promise<Failure | undefined> => {
    const answer = await call(confirmRequiredTotp, { body: { challenge, code } })
    if (!answer.success) return failureAt(answer, onBack)
    setEnrolled({ user: startedBy(answer.data), codes: answer.data.recoveryCodes })
    return undefined
  }
  return (
    <AuthPage
      title="Two-step verification"
      {...(!enrolled && { subtitle: `Admins of this portal log in with their password${andWhat}.` })}
    >
      {enrolled ? (
        <RecoveryCodes codes={enrolled.codes} doneText="Continue" onDone={() => onLoggedIn(enrolled.user)} />
      ) : offer ? (
        <TotpSetUp offer={offer} onCode={confirm}>
          <BackToPassword onBack={onBack} />
        </TotpSetUp>
      ) : (
        <BeginSetUp {...props} onOffer={setOffer} onEnrolled={setEnrolled} />
      )}
    </AuthPage>
  )
}
