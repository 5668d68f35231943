import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { formatRupees } from '../../../../ui/money.ts'
import { TextField } from '../../../../ui/text-field.tsx'
import { differingTotal } from './fee-total.ts'
import { typedCount, type InformationForm } from './program-values.ts'

type FeeFieldProps = {
  readonly form: InformationForm
  readonly name: 'fee' | `semesters.${number}.fee`
  readonly label: string
  readonly hint?: string
}

/** Shows an amount as '₹45,000' while it is not edited. What is saved is the text as it was typed. */
export const FeeField = ({ form, name, label, hint }: FeeFieldProps) => {
  const { ref, value, onBlur, onChange } = useController({ control: form.control, name }).field
  const [isEdited, setEdited] = useState(false)
  // React Hook Form has no value for a field below a value that was never set.
  const typed: string = value ?? ''
  return (
    <TextField
      label={label}
      hint={hint}
      autoComplete="off"
      inputProps={{ maxLength: limits.shortTextChars }}
      name={name}
      ref={ref}
      value={isEdited ? typed : formatRupees(typed)}
      onFocus={() => setEdited(true)}
      onBlur={() => {
        setEdited(false)
        onBlur()
      }}
      onChange={({ target }) => {
        form.clearErrors(name)
        onChange(target.value)
      }}
      error={form.errorOf(name)}
    />
  )
}

const Total = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 2),
  margin: theme.spacing(-2, 0, 0),
  color: theme.vars.palette.text.secondary,
  fontVariantNumeric: 'tabular-nums',
  // Its text starts at the margin, also on a line of its own.
  '& .MuiButton-text': { paddingInline: 0 },
}))

/** Points out that the semester fees add up to another amount, and offers it as the fee. */
export const FeeTotal = ({ form }: { readonly form: InformationForm }) => {
  const [fee, semesters, count] = useWatch({ control: form.control, name: ['fee', 'semesters', 'semesterCount'] })
  const counted = (semesters ?? []).slice(0, typedCount(count) ?? 0).map((semester) => semester.fee ?? '')
  const total = differingTotal(fee ?? '', counted)
  return (
    <div role="status">
      {total !== undefined && (
        <Total>
          <span>{`Semesters add up to ${total}`}</span>
          <Button
            variant="text"
            size="small"
            onClick={() => {
              form.clearErrors('fee')
              form.setValue('fee', total, { shouldDirty: true })
              form.setFocus('fee')
            }}
          >
            <span>{`Use ${total}`}</span>
          </Button>
        </Total>
      )}
    </div>
  )
}
