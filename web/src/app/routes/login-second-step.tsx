import { beginPasskeyStep, takePasskeyStep } from '@portal/contracts/auth/passkeys'
import { takeSecondStep } from '@portal/contracts/auth/second-factor'
import type { User } from '@portal/contracts/auth/user'
import { useState } from 'react'
import { AuthPage, Choices } from '../../features/auth/auth-page.tsx'
import { CodeForm } from '../../features/security/components/code-form.tsx'
import { OtherWays } from '../../features/security/components/other-ways.tsx'
import { PasskeyForm } from '../../features/security/components/passkey-form.tsx'
import { waysOf, type Way } from '../../features/security/factor-ways.ts'
import { signWithPasskey, supportsPasskeys } from '../../features/security/passkey.ts'
import { call, type Answer, type Failure } from '../../lib/http.ts'
import { BackToPassword, failureAt, startedBy, type SecondStepProps } from './login-step.tsx'
import { SetUp } from './login-set-up.tsx'

const subtitles: Readonly<Record<Way, string>> = {
  passkey: 'Confirm with your fingerprint, your face, the lock of your screen, or your security key.',
  app: 'Enter the six digits that your authenticator app shows.',
  recovery: 'Enter one of the codes that you kept when you turned it on. Each works once.',
}

/** Why the account's passkey is not among the ways. */
const whyNoPasskey = ({ factors = ['totp'] }: SecondStepProps['step']): string => {
  if (factors.includes('passkey') && !supportsPasskeys()) return 'This browser has no passkeys. '
  return factors.length === 0 ? 'Your passkey does not work at this address of the portal. ' : ''
}

const takeCode = async (challenge: string, code: string): Promise<Answer<User>> => {
  const taken = await call(takeSecondStep, { body: { challenge, code } })
  return taken.success ? { success: true, data: startedBy(taken.data) } : taken
}

const takePasskey = async (challenge: string, signal: AbortSignal): Promise<Answer<User>> => {
  const begun = await call(beginPasskeyStep, { body: { challenge } })
  if (!begun.success) return begun
  const signed = await signWithPasskey(begun.data.options, signal)
  if (!signed.success) return signed
  const taken = await call(takePasskeyStep, { body: { challenge, credential: signed.data } })
  return taken.success ? { success: true, data: startedBy(taken.data) } : taken
}

const TakeStep = ({ step, onLoggedIn, onBack }: SecondStepProps) => {
  const { challenge } = step
  // Earlier releases name no factors, and know apps only.
  const ways = waysOf(step.factors ?? ['totp'])
  const [way, setWay] = useState<Way>(ways[0])
  const finish = (answer: Answer<User>): Failure | undefined => {
    if (!answer.success) return failureAt(answer, onBack)
    onLoggedIn(answer.data)
    return undefined
  }
  const take = async (code: string) => finish(await takeCode(challenge, code))
  const others = (
    <Choices>
      <OtherWays way={way} ways={ways} onChoose={setWay} />
      <BackToPassword onBack={onBack} />
    </Choices>
  )
  return (
    <AuthPage title="Two-step verification" subtitle={whyNoPasskey(step) + subtitles[way]}>
      {way === 'passkey' ? (
        <PasskeyForm text="Use a passkey" onPress={async (signal) => finish(await takePasskey(challenge, signal))}>
          {others}
        </PasskeyForm>
      ) : (
        <CodeForm key={way} kind={way} submitText="Login" busyText="Logging in..." onCode={take}>
          {others}
        </CodeForm>
      )}
    </AuthPage>
  )
}

/** What a login needs after the password. Most logins need nothing, so this is not part of the login page. */
export const SecondStep = (props: SecondStepProps) =>
  props.step.kind === 'code' ? <TakeStep {...props} /> : <SetUp {...props} />
