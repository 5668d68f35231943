import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import {
  beginTotp,
  confirmTotp,
  issueRecoveryCodes,
  removeSecondFactor,
  type SecondFactor,
} from '@portal/contracts/auth/second-factor'
import { useState } from 'react'
import { call, type Failure } from '../../../lib/http.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetUp, type OfferedTotp } from './totp-set-up.tsx'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', justifyItems: 'start', gap: theme.spacing(5) }))
const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(3) }))

/** What the password is asked for. */
type Change = 'set-up' | 'recovery-codes' | 'removal'

const dialogs = {
  'set-up': { title: 'Set up your authenticator app', submitText: 'Continue' },
  'recovery-codes': {
    title: 'Make new recovery codes?',
    consequence: 'Your earlier recovery codes stop working.',
    submitText: 'Make new codes',
  },
  removal: {
    title: 'Turn off two-step verification?',
    consequence: 'Whoever knows your password can then log in. Your recovery codes stop working.',
    submitText: 'Turn off',
    destructive: true,
  },
} as const satisfies Record<Change, object>

const textOfCodes = (count: number): string =>
  count === 1 ? '1 recovery code is left' : `${count === 0 ? 'No' : count} recovery codes are left`

type View =
  | { readonly kind: 'state' }
  | { readonly kind: 'set-up'; readonly offer: OfferedTotp }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

type StateViewProps = { readonly secondFactor: SecondFactor; readonly onAsk: (change: Change) => void }

const StateView = ({ secondFactor: { totp, recoveryCodesLeft, isRequired }, onAsk }: StateViewProps) =>
  totp ? (
    <Stack>
      <ToneBadge tone="green">On</ToneBadge>
      <Typography>Logging in takes your password and a code from your authenticator app.</Typography>
      <Typography>{`${textOfCodes(recoveryCodesLeft)}. Each logs you in once without the app.`}</Typography>
      <Actions>
        <Button variant="outlined" color="secondary" onClick={() => onAsk('recovery-codes')}>
          Make new recovery codes
        </Button>
        <Button variant="outlined" color="secondary" onClick={() => onAsk('set-up')}>
          Use another app
        </Button>
        {!isRequired && (
          <Button variant="outlined" color="error" onClick={() => onAsk('removal')}>
            Turn off
          </Button>
        )}
      </Actions>
      {isRequired && <Typography color="textSecondary">Admins of this portal cannot turn it off.</Typography>}
    </Stack>
  ) : (
    <Stack>
      <Typography>
        Logging in then takes your password and a code from an app on your phone. A stolen password alone is worth
        nothing.
      </Typography>
      <Button onClick={() => onAsk('set-up')}>Turn on</Button>
    </Stack>
  )

type SecondFactorSettingsProps = {
  readonly email: string
  readonly secondFactor: SecondFactor
  readonly onChange: () => Promise<unknown>
  /** What had the focus has disappeared. */
  readonly onFocusLost: () => void
}

/** Turns two-step verification on and off. The password is asked for before each change. */
export const SecondFactorSettings = (props: SecondFactorSettingsProps) => {
  const { email, secondFactor, onChange, onFocusLost } = props
  const toast = useToast()
  const [asked, setAsked] = useState<Change | null>(null)
  const [view, setView] = useState<View>({ kind: 'state' })
  const showState = () => {
    setView({ kind: 'state' })
    onFocusLost()
  }

  const change = async (asking: Change, password: string): Promise<Failure | undefined> => {
    const body = { password }
    if (asking === 'set-up') {
      const answer = await call(beginTotp, { body })
      if (!answer.success) return answer
      setView({ kind: 'set-up', offer: answer.data })
    } else if (asking === 'recovery-codes') {
      const answer = await call(issueRecoveryCodes, { body })
      if (!answer.success) return answer
      setView({ kind: 'codes', codes: answer.data.recoveryCodes })
    } else {
      const answer = await call(removeSecondFactor, { body })
      if (!answer.success) return answer
      toast.success(answer.data.message, { subject: 'second-factor' })
    }
    // The dialog returns the focus to a button, which then disappears.
    setAsked(null)
    await onChange()
    if (asking === 'removal') onFocusLost()
    return undefined
  }

  const confirm = async (code: string): Promise<Failure | undefined> => {
    const answer = await call(confirmTotp, { body: { code } })
    if (!answer.success) return answer
    toast.success(answer.data.message, { subject: 'second-factor' })
    setView({ kind: 'codes', codes: answer.data.recoveryCodes })
    await onChange()
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
          {...dialogs[asked]}
          onPassword={(password) => change(asked, password)}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  )
}
