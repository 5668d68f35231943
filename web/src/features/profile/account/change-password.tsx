import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useValidatedForm } from '../../../lib/form.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { passwordForm, reasonOf, savePassword } from '../profile-form.ts'
import { PasswordFields } from './password-fields.tsx'

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'start',
  gap: theme.spacing(4),
  '& > div': { width: '100%' },
}))

/** A newer toast of the form replaces the older one. */
const subject = 'password'

/** Changes the own password, where it is not part of another form. */
export const ChangePassword = ({ email }: { readonly email: string }) => {
  const toast = useToast()
  const form = useValidatedForm(passwordForm, { currentPassword: '', newPassword: '', confirmPassword: '' })
  const { field, formState, handleSubmit, reset, showErrors } = form
  const save = handleSubmit(async (typed) => {
    const answer = await savePassword(typed)
    if (answer.success) {
      reset()
      return toast.success(answer.data.message, { subject })
    }
    // An error of a field is shown there.
    if (answer.errors) toast.dismiss(subject)
    else toast.error(reasonOf(answer), { subject })
    return showErrors(answer.errors)
  })
  return (
    <section aria-labelledby="password-heading">
      <Form onSubmit={save} noValidate>
        <Typography variant="h2" id="password-heading">
          Change password
        </Typography>
        <PasswordFields
          email={email}
          current={field('currentPassword')}
          next={field('newPassword', { clears: ['confirmPassword'] })}
          confirmation={field('confirmPassword')}
        />
        <BusyButton type="submit" busy={formState.isSubmitting}>
          Change password
        </BusyButton>
      </Form>
    </section>
  )
}
