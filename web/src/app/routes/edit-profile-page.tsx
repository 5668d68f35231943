import type { User } from '@portal/contracts/auth/user'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { knownLanguage, languageNames, languages } from '@portal/contracts/shared/languages'
import { useEffect, useRef, useState } from 'react'
import { Controller } from 'react-hook-form'
import { Link, useNavigate } from 'react-router-dom'
import { useValidatedForm } from '../../lib/form.ts'
import { updateSessionUser } from '../../lib/session.ts'
import { useKeptForm } from '../../lib/use-kept-form.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { DeleteOwnAccount } from '../../features/profile/account/delete-own-account.tsx'
import { PasswordFields } from '../../features/profile/account/password-fields.tsx'
import { keptProfile, profileForm, reasonOf, saveProfile } from '../../features/profile/profile-form.ts'
import { useProfile } from '../../features/profile/use-profile.ts'

const returnAfterMs = 1_000

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(5),
  '& fieldset.passwords': {
    display: 'grid',
    gap: theme.spacing(5),
    minWidth: 0,
    margin: theme.spacing(3, 0, 0),
    padding: theme.spacing(6, 0, 0),
    border: 0,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  // Only the legend of the fieldset, not those that MUI draws into the outlines of the fields.
  '& .passwords > legend': { ...theme.typography.h2, float: 'left', width: '100%', padding: 0 },
  '& .actions': { display: 'grid', gap: theme.spacing(2), marginTop: theme.spacing(3) },
}))

/** Looks unlike an input, since it is read-only. */
const FixedField = styled(TextField)(({ theme }) => ({
  color: theme.vars.palette.text.secondary,
  backgroundColor: 'transparent',
  '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.divider },
}))

/** Returns to the profile a second after the save, so that the user can read the message. Replaces the form in the history. */
const useReturnToProfile = (isSaved: boolean) => {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isSaved) return undefined
    const timer = setTimeout(() => void navigate('/profile', { replace: true }), returnAfterMs)
    return () => clearTimeout(timer)
  }, [isSaved, navigate])
}

/** A newer toast of the form replaces the older one. */
const subject = 'profile'

const formFields = ['fullName', 'currentPassword', 'newPassword'] as const

const ProfileForm = ({ user }: { user: User }) => {
  const toast = useToast()
  const [isSaved, setIsSaved] = useState(false)
  const form = useValidatedForm(profileForm, {
    fullName: user.fullName,
    notificationLanguage: knownLanguage(user.notificationLanguage),
    currentPassword: '',
    newPassword: '',
    confirmPassword: '',
  })
  const { field, formState, handleSubmit, getValues, setValue } = form
  const { fullName } = user
  const language = knownLanguage(user.notificationLanguage)
  const last = useRef({ fullName, language })
  useReturnToProfile(isSaved)
  const { forget } = useKeptForm(form, keptProfile)

  // The server or another tab may have newer ones. What was typed or chosen here is kept.
  useEffect(() => {
    if (getValues('fullName') === last.current.fullName) setValue('fullName', fullName)
    if (getValues('notificationLanguage') === last.current.language) setValue('notificationLanguage', language)
    last.current = { fullName, language }
  }, [getValues, setValue, fullName, language])

  const save = handleSubmit(async (values) => {
    const { notificationLanguage: chosen, ...others } = values
    const saved = await saveProfile(chosen === language ? others : values)
    if (saved.named) updateSessionUser(saved.named)
    if (saved.kind === 'saved') {
      forget()
      toast.success('Profile updated successfully!', { subject })
      return setIsSaved(true)
    }
    const reason = reasonOf(saved.failure)
    const isNameNew = saved.named !== null && saved.named.fullName !== fullName
    const { errors } = saved.failure
    // An error of a field is shown there. A toast adds what happened to the name.
    if (isNameNew) toast.error(`Your name is saved, your password is not: ${reason}`, { subject })
    else if (formFields.some((name) => errors?.[name] !== undefined)) toast.dismiss(subject)
    else toast.error(reason, { subject })
    return form.showErrors(errors)
  })

  return (
    <Form onSubmit={save} noValidate>
      <TextField label="Full name" autoComplete="name" {...field('fullName')} />
      <FixedField label="University" value={user.universityName} readOnly />
      <FixedField
        label="Mobile number"
        value={user.mobileNumber}
        readOnly
        hint="To change these, contact the center."
      />
      <Controller
        name="notificationLanguage"
        control={form.control}
        render={({ field: { ref, value = 'en', onChange, onBlur } }) => (
          <SelectField
            ref={ref}
            label="Language of notifications"
            hint="For notifications that have it. All others are in English."
            options={languages}
            labelOf={(option) => languageNames[option]}
            langOf={(option) => option}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
      <fieldset className="passwords">
        <legend>Change password</legend>
        <Typography variant="body2" color="textSecondary">
          Leave blank to keep your current password.
        </Typography>
        <PasswordFields
          email={user.personalEmail}
          current={field('currentPassword')}
          next={field('newPassword', { clears: ['confirmPassword'] })}
          confirmation={field('confirmPassword')}
        />
      </fieldset>
      <div className="actions">
        <BusyButton type="submit" size="large" fullWidth busy={formState.isSubmitting || isSaved} busyText="Saving...">
          Save
        </BusyButton>
        <Button component={Link} to="/profile" size="large" variant="text" color="secondary" fullWidth onClick={forget}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

export const EditProfilePage = () => {
  const user = useProfile()
  if (!user) return null
  return (
    <>
      <PageTitle title="Edit Profile" back={{ to: '/profile', label: 'your profile' }} />
      <ProfileForm key={user._id} user={user} />
      <DeleteOwnAccount email={user.personalEmail} />
    </>
  )
}
