import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { maxPasskeys } from '@portal/contracts/auth/passkeys'
import { confirmTotp, type SecondFactor } from '@portal/contracts/auth/second-factor'
import { useRef, useState } from 'react'
import { call, type Failure } from '../../../lib/http.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { changeFactors, type BegunPasskey, type Change } from '../change-factors.ts'
import { waysOf, type Way } from '../factor-ways.ts'
import type { Confirmation } from '../own-factors.ts'
import { useCeremony } from '../use-ceremony.ts'
import { ConfirmFactorsDialog } from './confirm-factors-dialog.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetUp, type OfferedTotp } from './totp-set-up.tsx'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', justifyItems: 'start', gap: theme.spacing(5) }))
const Sections = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(8) }))
const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(3) }))

const dialogOf = (change: Change, { totp }: SecondFactor) => {
  switch (change.kind) {
    case 'set-up':
      return {
        title: 'Set up your authenticator app',
        consequence: totp ? 'Confirm with the app that you have used so far.' : undefined,
        submitText: 'Continue',
      }
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

/** What follows new factors: the codes, unless earlier ones go on. */
const viewOfCodes = (codes: readonly string[]): View =>
  codes.length > 0 ? { kind: 'codes', codes } : { kind: 'state' }

/** The dialog returns the focus to a button, which then disappears. */
const removesItsButton = ({ kind }: Change, { passkeys = [] }: SecondFactor): boolean =>
  kind === 'removal' || kind === 'passkey-removal' || (kind === 'passkey' && passkeys.length === maxPasskeys - 1)

/** The page shows an older state: another tab has changed it. */
const isOutdated = ({ code }: Failure): boolean => code === 'not-found' || code === 'conflict'

/** None while two-step verification is off. */
const waysFor = ({ totp, passkeys = [], canAddPasskeys = false }: SecondFactor): readonly Way[] => {
  if (!totp && passkeys.length === 0) return []
  // Passkeys can be added where they work.
  const hasPasskey = passkeys.length > 0 && canAddPasskeys
  return waysOf([...(totp ? (['totp'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])])
}

type SecondFactorSettingsProps = {
  readonly email: string
  readonly secondFactor: SecondFactor
  readonly onChange: () => Promise<unknown>
  /** What had the focus has disappeared. */
  readonly onFocusLost: () => void
}

/** Turns two-step verification on and off, and adds passkeys. Each change is confirmed first. */
export const SecondFactorSettings = (props: SecondFactorSettingsProps) => {
  const { email, secondFactor, onChange, onFocusLost } = props
  const toast = useToast()
  const ceremony = useCeremony()
  const begun = useRef<BegunPasskey>({ options: undefined })
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

  const ask = (change: Change | null) => {
    begun.current = { options: undefined }
    setAsked(change)
  }

  const change = async (asking: Change, confirmation: Confirmation): Promise<Failure | undefined> => {
    const answer = await changeFactors(asking, confirmation, begun.current, ceremony.begin())
    if (!answer.success) {
      if (isOutdated(answer)) return update(answer)
      // Turned on in another tab. The dialog then asks for the proof.
      if (answer.code === 'second-factor-required') await onChange()
      return answer
    }
    const { offer, recoveryCodes, message } = answer.data
    if (offer) setView({ kind: 'set-up', offer })
    if (recoveryCodes) setView(viewOfCodes(recoveryCodes))
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
      {view.kind === 'state' && <StateView secondFactor={secondFactor} onAsk={ask} />}
      {view.kind === 'set-up' && (
        <TotpSetUp offer={view.offer} onCode={confirm}>
          <Button variant="text" color="secondary" onClick={showState}>
            Cancel
          </Button>
        </TotpSetUp>
      )}
      {view.kind === 'codes' && <RecoveryCodes codes={view.codes} doneText="Done" onDone={showState} />}
      {asked !== null && (
        <ConfirmFactorsDialog
          email={email}
          {...dialogOf(asked, secondFactor)}
          ways={waysFor(secondFactor)}
          onConfirm={(confirmation) => change(asked, confirmation)}
          onCancel={() => {
            ceremony.cancel()
            setAsked(null)
          }}
        />
      )}
    </>
  )
}
