import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Controller } from 'react-hook-form'
import { TextField } from '../../../ui/text-field.tsx'
import { handOver, InvitationLink } from './invitation-link.tsx'
import { RoleField } from './role-field.tsx'
import type { OneInvitation } from './use-one-invitation.ts'

const Text = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: 0 }))

/** The fields for one person, or the link once the invitation is made. */
export const OneInvitationFields = ({ form, sent, resend }: OneInvitation) => {
  if (sent?.link !== undefined)
    return (
      <>
        <Text role="status">{`${sent.fullName} is invited. ${handOver}`}</Text>
        <InvitationLink link={sent.link} fullName={sent.fullName} />
      </>
    )
  return (
    <>
      <TextField label="Name" autoComplete="off" autoFocus required {...form.field('fullName')} />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        required
        {...form.field('personalEmail')}
      />
      <Controller
        name="role"
        control={form.control}
        render={({ field: { ref, value, onChange } }) => (
          <RoleField
            ref={ref}
            value={value}
            onChange={(role) => {
              form.clearErrors('role')
              onChange(role)
            }}
            error={form.errorOf('role')}
          />
        )}
      />
      {resend && (
        <div>
          <Button variant="outlined" color="secondary" size="small" onClick={() => void resend.send()}>
            <span>{`Send the invitation of ${resend.fullName} again`}</span>
          </Button>
        </div>
      )}
    </>
  )
}
