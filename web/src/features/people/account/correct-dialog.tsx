import Link from '@mui/material/Link'
import { correctPerson, type Person } from '@portal/contracts/auth/accounts'
import { mobileNumber } from '@portal/contracts/shared/rules'
import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { useUniversityNames } from '../../../lib/use-university-names.ts'
import { ComboboxField } from '../../../ui/combobox/combobox-field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { ChangeDialogProps } from './change-dialog.ts'
import { useRefusal } from './use-refusal.ts'

/** An admin may have no number, so the recorded one is always accepted. */
const schemaFor = (recorded: string) =>
  z.object({
    universityName: z.string(),
    mobileNumber: z.union([z.literal(recorded), mobileNumber], 'Mobile number must be exactly 10 digits'),
  })

/** Only what differs from the record. */
const changesOf = (person: Person, typed: Pick<Person, 'universityName' | 'mobileNumber'>) => ({
  ...(typed.universityName !== person.universityName && { universityName: typed.universityName }),
  ...(typed.mobileNumber !== person.mobileNumber && { mobileNumber: typed.mobileNumber }),
})

export const CorrectDialog = ({ person, onDone, onCancel }: ChangeDialogProps) => {
  const { state, reload } = useUniversityNames()
  const names = state.kind === 'loaded' ? state.data : []
  const form = useValidatedForm(schemaFor(person.mobileNumber), {
    universityName: person.universityName,
    mobileNumber: person.mobileNumber,
  })
  const refusal = useRefusal(form)
  const save = form.handleSubmit(async (typed) => {
    const body = changesOf(person, typed)
    if (Object.keys(body).length === 0) return onCancel()
    const done = await refusal.accepted(call(correctPerson, { params: { id: person._id }, body }))
    return done && onDone(done.message)
  })
  return (
    <FormDialog
      title={`Correct ${person.fullName}`}
      submitText="Save"
      busy={form.formState.isSubmitting}
      failure={refusal.failure}
      onSubmit={save}
      onCancel={onCancel}
    >
      <Controller
        name="universityName"
        control={form.control}
        render={({ field: { ref, value, onChange } }) => (
          <ComboboxField
            ref={ref}
            label="University"
            placeholder={state.kind === 'loading' ? 'Loading universities...' : 'Choose a university'}
            options={names}
            value={names.includes(value) ? value : ''}
            onChange={(name) => {
              form.clearErrors('universityName')
              onChange(name)
            }}
            noun={['university', 'universities']}
            disabled={names.length === 0}
            error={form.errorOf('universityName')}
            hint={
              state.kind === 'failed' && (
                <span role="alert">
                  Failed to load universities.{' '}
                  <Link component="button" type="button" onClick={reload}>
                    Try again
                  </Link>
                </span>
              )
            }
          />
        )}
      />
      <TextField label="Mobile number" inputMode="tel" autoComplete="off" {...form.field('mobileNumber')} />
    </FormDialog>
  )
}
