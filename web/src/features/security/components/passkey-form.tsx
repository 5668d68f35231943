import FormHelperText from '@mui/material/FormHelperText'
import { styled } from '@mui/material/styles'
import { useState, type ReactNode } from 'react'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { useCeremony } from '../use-ceremony.ts'

const Form = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5) }))

type PasskeyFormProps = {
  readonly text: string
  /** Lets the browser ask for the passkey. Returns the failure, if there is one. */
  readonly onPress: (signal: AbortSignal) => Promise<Failure | undefined>
  /** Further buttons. */
  readonly children: ReactNode
}

/** A button, because browsers ask for passkeys only after a press. It has the focus, and can be pressed again. */
export const PasskeyForm = ({ text, onPress, children }: PasskeyFormProps) => {
  const ceremony = useCeremony()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const press = async () => {
    setBusy(true)
    setFailure(undefined)
    const refused = await onPress(ceremony.begin())
    if (refused === undefined) return
    setBusy(false)
    setFailure(refused.message)
  }
  return (
    <Form>
      <BusyButton size="large" autoFocus busy={busy} onClick={() => void press()}>
        {text}
      </BusyButton>
      {failure !== undefined && (
        <FormHelperText error role="alert">
          {failure}
        </FormHelperText>
      )}
      {children}
    </Form>
  )
}
