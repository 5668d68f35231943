import { cleanCode } from '@portal/contracts/shared/typed-input'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useId, type ChangeEvent, type ClipboardEvent, type Ref } from 'react'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField, type TextFieldProps } from '../../../ui/text-field.tsx'
import { useCountdown } from './use-countdown.ts'

const SpacedDigits = styled(TextField)(({ theme }) => ({
  '& input': {
    fontVariantNumeric: 'tabular-nums',
    letterSpacing: '0.5em',
    fontSize: theme.portal.pieces.name,
    fontWeight: 600,
  },
}))

type CodeFieldProps = Omit<TextFieldProps, 'onChange' | 'value' | 'type' | 'inputMode'> & {
  readonly value: string
  readonly onChange: (digits: string) => void
}

const codeDigits = 6

/**
 * A one-time code in one field instead of six: autofill works, a paste of '123 456' or a whole message keeps the code, and screen
 * readers announce a single field.
 */
const CodeField = ({ value, onChange, ...rest }: CodeFieldProps) => {
  const keepDigits = (text: string) => onChange(cleanCode(text).replaceAll(/\D/g, '').slice(0, codeDigits))
  return (
    <SpacedDigits
      {...rest}
      inputMode="numeric"
      value={value}
      onChange={(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => keepDigits(event.target.value)}
      onPaste={(event: ClipboardEvent) => {
        event.preventDefault()
        keepDigits(event.clipboardData.getData('text'))
      }}
    />
  )
}

const SentTo = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: theme.spacing(1.5, 0, 0),
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& .MuiLink-root': { padding: theme.spacing(2.5, 2), marginBlock: theme.spacing(-2.5), verticalAlign: 'baseline' },
}))

const Again = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  '& .MuiButton-root': { marginLeft: theme.spacing(-3) },
  // The accent is for what can be pressed now.
  '& .MuiButton-root[aria-disabled="true"]': { color: theme.vars.palette.text.secondary, opacity: 1 },
}))

const Wait = styled('span')(({ theme }) => ({
  ...theme.typography.body2,
  color: theme.vars.palette.text.secondary,
  fontVariantNumeric: 'tabular-nums',
}))

type CodeEntryProps = {
  readonly label: string
  readonly autoComplete: 'one-time-code' | 'off'
  readonly sentTo: string
  readonly editLabel: string
  readonly resendText: string
  /** ms since 1970. */
  readonly resendFrom: number
  readonly resending: boolean
  readonly value: string
  readonly error: string | undefined
  readonly fieldRef: Ref<HTMLInputElement>
  readonly onChange: (digits: string) => void
  readonly onEdit: () => void
  readonly onResend: () => void
}

/** One code: its field, the address it was sent to, and a button that resends it. */
export const CodeEntry = ({ fieldRef, ...props }: CodeEntryProps) => {
  const waitId = useId()
  const seconds = useCountdown(props.resendFrom)
  const isWaiting = seconds > 0
  return (
    <div>
      <CodeField
        label={props.label}
        autoComplete={props.autoComplete}
        value={props.value}
        error={props.error}
        ref={fieldRef}
        onChange={props.onChange}
      />
      <SentTo>
        Sent to <b>{props.sentTo}</b>
        <Link component="button" type="button" aria-label={props.editLabel} onClick={props.onEdit}>
          edit
        </Link>
      </SentTo>
      <Again>
        {/* Busy instead of disabled, so that the button keeps the focus after a press. */}
        <BusyButton
          variant="text"
          size="small"
          busy={props.resending || isWaiting}
          {...(isWaiting && { 'aria-describedby': waitId })}
          onClick={props.onResend}
        >
          {props.resendText}
        </BusyButton>
        {isWaiting && <Wait id={waitId} translate="no">{`in ${seconds} s`}</Wait>}
      </Again>
    </div>
  )
}
