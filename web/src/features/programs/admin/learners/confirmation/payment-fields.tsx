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

type PaymentFieldsProps = {
  readonly form: PaymentForm
  /** Whether rows of a list can have an amount, a date and a reference of their own. */
  readonly isForList?: boolean
  readonly notify: boolean
  readonly onNotify: (notify: boolean) => void
}

export const PaymentFields = ({ form, isForList = false, notify, onNotify }: PaymentFieldsProps) => {
  const ofRows = isForList ? ' of rows without one' : ''
  return (
    <>
      <TextField
        label={`Amount in rupees${ofRows}`}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={!isForList}
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
    </>
  )
}
