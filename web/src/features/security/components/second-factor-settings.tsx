import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { addPasskey, beginPasskey, maxPasskeys, removePasskey } from '@portal/contracts/auth/passkeys'
import {
  beginTotp,
  confirmTotp,
  issueRecoveryCodes,
  type Passkey,
  removeSecondFactor,
  type SecondFactor,
} from '@portal/contracts/auth/second-factor'
import { useState } from 'react'
import { call, type Answer, type Failure } from '../../../lib/http.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { createPasskey } from '../passkey.ts'
import { useCeremony } from '../use-ceremony.ts'
import { PasskeyList } from './passkey-list.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetUp, type OfferedTotp } from './totp-set-up.tsx'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', justifyItems: 'start', gap: theme.spacing(5) }))
const Sections = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(8) }))
const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(3) }))

/** What the password is asked for. */
type Change =
  | { readonly kind: 'set-up' | 'recovery-codes' | 'removal' | 'passkey' }
  | { readonly kind: 'passkey-removal'; readonly passkey: Passkey; readonly isLastFactor: boolean }

const dialogOf = (change: Change) => {
  switch (change.kind) {
    case 'set-up':
      return { title: 'Set up your authenticator app', submitText: 'Continue' }
    case 'recovery-codes':
      return {
        title: 'Make new recovery codes?',
        consequence: 'Your earlier recovery codes stop working.',
        submitText: 'Make new codes',
      }
    case 'removal':
      return {
        title: 'Turn off two-step verification?',
        consequence: 'Whoever knows your password can then log in. Your recovery codes stop working.',
        submitText: 'Turn off',
        destructive: true,
      }
    case 'passkey':
      return { title: 'Add a passkey', submitText: 'Continue' }
    case 'passkey-removal':
      return {
        title: `Remove the passkey of ${change.passkey.label}?`,
        consequence: change.isLastFactor
          ? 'Whoever knows your password can then log in. Your recovery codes stop working.'
          : 'You cannot log in with it any more.',
        submitText: 'Remove',
        destructive: true,
      }
  }
}

const textOfCodes = (count: number): string =>
  count === 1 ? '1 recovery code is left' : `${count === 0 ? 'No' : count} recovery codes are left`

/** What a login takes besides the password. */
const textsOf = (hasApp: boolean, hasPasskey: boolean) => {
  if (!hasPasskey) return { step: 'a code from your authenticator app', without: 'the app' }
  return hasApp
    ? { step: 'a passkey, or a code from your authenticator app', without: 'passkey and app' }
    : { step: 'a passkey', without: 'a passkey' }
}

type View =
  | { readonly kind: 'state' }
  | { readonly kind: 'set-up'; readonly offer: OfferedTotp }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

type StateViewProps = { readonly secondFactor: SecondFactor; readonly onAsk: (change: Change) => void }

const OnView = ({ secondFactor: { totp, passkeys = [], recoveryCodesLeft, isRequired }, onAsk }: StateViewProps) => {
  const { step, without } = textsOf(totp, passkeys.length > 0)
  return (
    <Stack>
      <ToneBadge tone="green">On</ToneBadge>
      <Typography>{`Logging in takes your password and ${step}.`}</Typography>
      <Typography>{`${textOfCodes(recoveryCodesLeft)}. Each logs you in once without ${without}.`}</Typography>
      <Actions>
        <Button variant="outlined" color="secondary" onClick={() => onAsk({ kind: 'recovery-codes' })}>
          Make new recovery codes
        </Button>
        <Button variant="outlined" color="secondary" onClick={() => onAsk({ kind: 'set-up' })}>
          <span>{totp ? 'Use another app' : 'Set up an app, too'}</span>
        </Button>
        {!isRequired && (
          <Button variant="outlined" color="error" onClick={() => onAsk({ kind: 'removal' })}>
            Turn off
          </Button>
        )}
      </Actions>
      {isRequired && <Typography color="textSecondary">Admins of this portal cannot turn it off.</Typography>}
    </Stack>
  )
}

const OffView = ({ onAsk }: Pick<StateViewProps, 'onAsk'>) => (
  <Stack>
    <Typography>
      Logging in then takes your password and a code from an app on your phone. A stolen password alone is worth
      nothing.
    </Typography>
    <Button onClick={() => onAsk({ kind: 'set-up' })}>Turn on</Button>
  </Stack>
)

const StateView = ({ secondFactor, onAsk }: StateViewProps) => {
  const { totp, passkeys = [], canAddPasskeys = false } = secondFactor
  const isOn = totp || passkeys.length > 0
  return (
    <Sections>
      {isOn ? <OnView secondFactor={secondFactor} onAsk={onAsk} /> : <OffView onAsk={onAsk} />}
      <PasskeyList
        passkeys={passkeys}
        canAdd={canAddPasskeys}
        onAdd={() => onAsk({ kind: 'passkey' })}
        onRemove={(passkey) =>
          onAsk({ kind: 'passkey-removal', passkey, isLastFactor: !totp && passkeys.length === 1 })
        }
      />
    </Sections>
  )
}

/** What a change shows next, and what it says. */
type Outcome = { readonly view?: View; readonly message?: string }

/** What follows new factors: the codes, unless earlier ones go on. */
const viewOfCodes = (codes: readonly string[]): View =>
  codes.length > 0 ? { kind: 'codes', codes } : { kind: 'state' }

const addNewPasskey = async (password: string, signal: AbortSignal): Promise<Answer<Outcome>> => {
  const begun = await call(beginPasskey, { body: { password } })
  if (!begun.success) return begun
  const created = await createPasskey(begun.data.options, signal)
  if (!created.success) return created
  const added = await call(addPasskey, { body: { credential: created.data } })
  if (!added.success) return added
  const { message, recoveryCodes } = added.data
  return { success: true, data: { view: viewOfCodes(recoveryCodes), message } }
}

const requestChange = async (change: Change, password: string, signal: AbortSignal): Promise<Answer<Outcome>> => {
  const body = { password }
  switch (change.kind) {
    case 'set-up': {
      const answer = await call(beginTotp, { body })
      return answer.success ? { success: true, data: { view: { kind: 'set-up', offer: answer.data } } } : answer
    }
    case 'recovery-codes': {
      const answer = await call(issueRecoveryCodes, { body })
      return answer.success ? { success: true, data: { view: viewOfCodes(answer.data.recoveryCodes) } } : answer
    }
    case 'removal': {
      const answer = await call(removeSecondFactor, { body })
      return answer.success ? { success: true, data: { message: answer.data.message } } : answer
    }
    case 'passkey':
      return addNewPasskey(password, signal)
    case 'passkey-removal': {
      const answer = await call(removePasskey, { params: { id: change.passkey.id }, body })
      return answer.success ? { success: true, data: { message: answer.data.message } } : answer
    }
  }
}

/** The dialog returns the focus to a button, which then disappears. */
const removesItsButton = ({ kind }: Change, { passkeys = [] }: SecondFactor): boolean =>
  kind === 'removal' || kind === 'passkey-removal' || (kind === 'passkey' && passkeys.length === maxPasskeys - 1)

/** The page shows an older state: another tab has changed it. */
const isOutdated = ({ code }: Failure): boolean => code === 'not-found' || code === 'conflict'

type SecondFactorSettingsProps = {
  readonly email: string
  readonly secondFactor: SecondFactor
  readonly onChange: () => Promise<unknown>
  /** What had the focus has disappeared. */
  readonly onFocusLost: () => void
}

/** Turns two-step verification on and off, and adds passkeys. The password is asked for before each change. */
export const SecondFactorSettings = (props: SecondFactorSettingsProps) => {
  const { email, secondFactor, onChange, onFocusLost } = props
  const toast = useToast()
  const ceremony = useCeremony()
  const [asked, setAsked] = useState<Change | null>(null)
  const [view, setView] = useState<View>({ kind: 'state' })
  const showState = () => {
    setView({ kind: 'state' })
    onFocusLost()
  }

  const update = async ({ message }: Failure): Promise<undefined> => {
    toast.error(message, { subject: 'second-factor' })
    setAsked(null)
    await onChange()
    onFocusLost()
  }

  const change = async (asking: Change, password: string): Promise<Failure | undefined> => {
    const answer = await requestChange(asking, password, ceremony.begin())
    if (!answer.success) return isOutdated(answer) ? update(answer) : answer
    const { view: next, message } = answer.data
    if (next) setView(next)
    if (message !== undefined) toast.success(message, { subject: 'second-factor' })
    setAsked(null)
    await onChange()
    if (removesItsButton(asking, secondFactor)) onFocusLost()
    return undefined
  }

  const confirm = async (code: string): Promise<Failure | undefined> => {
    const answer = await call(confirmTotp, { body: { code } })
    if (!answer.success) return answer
    const { message, recoveryCodes } = answer.data
    toast.success(message, { subject: 'second-factor' })
    setView(viewOfCodes(recoveryCodes))
    await onChange()
    if (recoveryCodes.length === 0) onFocusLost()
    return undefined
  }

  return (
    <>
      {view.kind === 'state' && <StateView secondFactor={secondFactor} onAsk={setAsked} />}
      {view.kind === 'set-up' && (
        <TotpSetUp offer={view.offer} onCode={confirm}>
          <Button variant="text" color="secondary" onClick={showState}>
            Cancel
          </Button>
        </TotpSetUp>
      )}
      {view.kind === 'codes' && <RecoveryCodes codes={view.codes} doneText="Done" onDone={showState} />}
      {asked !== null && (
        <PasswordDialog
          email={email}
          {...dialogOf(asked)}
          onPassword={(password) => change(asked, password)}
          onCancel={() => {
            ceremony.cancel()
            setAsked(null)
          }}
        />
      )}
    </>
  )
}
