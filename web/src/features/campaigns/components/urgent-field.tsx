import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { CheckBox } from '../../../ui/check-box.tsx'
import type { useDraft } from '../use-draft.ts'

export const urgentText = 'It is pushed at once, also to people who switched this type off or have quiet hours.'

const Field = styled('div')(({ theme }) => ({
  '& label': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(3),
    width: 'fit-content',
    minHeight: theme.portal.sizes.target,
    cursor: 'pointer',
  },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
}))

/** Whether the notification goes above what its recipients have chosen. */
export const UrgentField = ({ form }: { readonly form: ReturnType<typeof useDraft>['form'] }) => {
  const hint = useId()
  return (
    <Field>
      <Controller
        name="isUrgent"
        control={form.control}
        render={({ field: { ref, value = false, onChange, onBlur } }) => (
          <label>
            <CheckBox
              ref={ref}
              type="checkbox"
              checked={value}
              onChange={onChange}
              onBlur={onBlur}
              aria-describedby={hint}
            />
            Urgent
          </label>
        )}
      />
      <p id={hint}>{urgentText}</p>
    </Field>
  )
}
