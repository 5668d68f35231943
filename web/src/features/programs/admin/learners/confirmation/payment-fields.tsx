import { styled } from '@mui/material/styles'
import { CheckBox } from '../../../../../ui/check-box.tsx'
import { TextField } from '../../../../../ui/text-field.tsx'
import { type PaymentForm, today } from './payment-form.ts'

const Tick = styled('label')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(3),
  minHeight: theme.portal.sizes.target,
  cursor: 'pointer',
}))

/** Whether rows are confirmed that may be payments which are recorded already. */
type Repeats = { readonly areConfirmed: boolean; onChange(areConfirmed: boolean): void }

type PaymentFieldsProps = {
  readonly form: PaymentForm
  /** Of a list, whose rows can have an amount, a date and a reference of their own. */
  readonly repeats?: Repeats
  readonly notify: boolean
  readonly onNotify: (notify: boolean) => void
}

export const PaymentFields = ({ form, repeats, notify, onNotify }: PaymentFieldsProps) => {
  const ofRows = repeats ? ' of rows without one' : ''
  return (
    <>
      <TextField
        label={`Amount in rupees${ofRows}`}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={!repeats}
        required
        {...form.field('amount')}
      />
      <TextField
        label={`Date${ofRows}`}
        type="date"
        required
        inputProps={{ min: '2000-01-01', max: today() }}
        {...form.field('paidOn')}
      />
      <TextField
        label={`Reference${ofRows}`}
        hint="Optional. A reference that a learner has already is not counted twice."
        autoComplete="off"
        {...form.field('reference')}
      />
      <Tick>
        <CheckBox type="checkbox" checked={notify} onChange={({ target }) => onNotify(target.checked)} />
        Tell them by a notification
      </Tick>
      {repeats && (
        <Tick>
          <CheckBox
            type="checkbox"
            checked={repeats.areConfirmed}
            onChange={({ target }) => repeats.onChange(target.checked)}
          />
          Confirm also what has the day and amount of a recorded payment
        </Tick>
      )}
    </>
  )
}
