import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { Controller } from 'react-hook-form'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { formatCount } from '../progress.ts'
import type { Recipients } from '../recipients.ts'
import { useCompose } from '../use-compose.ts'
import { PanelHead } from './panel-head.tsx'
import { RecipientPicker } from './recipient-picker.tsx'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5) }))

/** Sticks to the bottom of the window while the form is longer than the window. */
const StickyFooter = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  display: 'grid',
  gap: theme.spacing(2),
  paddingTop: theme.spacing(3),
  paddingBottom: `calc(env(safe-area-inset-bottom) + ${theme.spacing(4)})`,
  marginTop: theme.spacing(-3),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.default,
}))

const sendText = (count: number) => {
  if (count === 0) return 'Send notification'
  return `Send to ${formatCount(count)} ${count === 1 ? 'user' : 'users'}`
}

type ComposeFormProps = { readonly recipients: Recipients; readonly onSent: () => void }

export const ComposeForm = ({ recipients, onSent }: ComposeFormProps) => {
  const { form, round, chosen, choose, chosenError, searchRef, busy, uncertain, submit, confirmation } =
    useCompose(onSent)
  return (
    <Form noValidate onSubmit={submit} aria-labelledby="compose-heading">
      <PanelHead id="compose-heading" title="New notification" />
      <TextField label="Title" required autoComplete="off" {...form.field('title')} />
      <TextField label="Message" required multiline minRows={3} maxRows={10} {...form.field('message')} />
      <Controller
        name="type"
        control={form.control}
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <SelectField
            ref={ref}
            label="Type"
            options={notificationTypes}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
      <RecipientPicker
        key={round}
        recipients={recipients}
        chosen={chosen}
        error={chosenError}
        searchRef={searchRef}
        onChange={choose}
      />
      <StickyFooter>
        {uncertain && (
          <Typography variant="body2" role="status">
            No answer came, so it may or may not have been sent. Nothing here is lost; sending it again unchanged does
            not deliver it twice.
          </Typography>
        )}
        <BusyButton type="submit" size="large" fullWidth busy={busy} busyText="Sending...">
          {sendText(chosen.size)}
        </BusyButton>
      </StickyFooter>
      <ConfirmDialog
        open={confirmation.isOpen}
        question={`Send this notification to ${formatCount(chosen.size)} users?`}
        consequence="It appears in their inboxes at once and is pushed to their devices. It cannot be taken back."
        confirmText="Send"
        onConfirm={confirmation.confirm}
        onCancel={confirmation.cancel}
      />
    </Form>
  )
}
