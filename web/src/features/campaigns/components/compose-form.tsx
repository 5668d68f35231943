import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { Controller } from 'react-hook-form'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { hasConditions, type Rule } from '../audience/rule.ts'
import type { AudienceCount } from '../audience/use-audience-count.ts'
import { formatCount } from '../progress.ts'
import { useCompose } from '../use-compose.ts'
import { PanelHead } from './panel-head.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { SendDialog } from './send-dialog.tsx'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5), '& > *': { minWidth: 0 } }))

/** The number of recipients as far as it is known. Ticked people need no request. */
const knownCount = (rule: Rule, { data, isStale, failure }: AudienceCount): number => {
  if (!hasConditions(rule)) return rule.include.size
  return isStale || failure ? 0 : (data?.count ?? 0)
}

const sendText = (count: number) => {
  if (count === 0) return 'Send notification'
  return `Send to ${formatCount(count)} ${count === 1 ? 'user' : 'users'}`
}

export const ComposeForm = ({ onSent }: { readonly onSent: () => void }) => {
  const { form, round, rule, changeRule, ruleError, count, searchRef, busy, uncertain, restore, submit, confirmation } =
    useCompose(onSent)
  return (
    <Form noValidate onSubmit={submit} aria-labelledby="compose-heading">
      <PanelHead id="compose-heading" title="New notification" />
      {restore && (
        <Typography variant="body2" role="status">
          Your unsent notification{restore.title === '' ? '' : ` “${restore.title}”`} was put aside.
          <Button variant="text" color="secondary" size="small" onClick={restore.run}>
            Restore it
          </Button>
        </Typography>
      )}
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
      <RecipientsField
        key={round}
        rule={rule}
        count={count}
        error={ruleError}
        searchRef={searchRef}
        onChange={changeRule}
      />
      {uncertain && (
        <Typography variant="body2" role="status">
          No answer came, so it may or may not have been sent. Nothing here is lost; sending it again unchanged does not
          deliver it twice.
        </Typography>
      )}
      <BusyButton type="submit" size="large" fullWidth busy={busy} busyText="Sending...">
        {sendText(knownCount(rule, count))}
      </BusyButton>
      <SendDialog
        text={confirmation.text}
        count={confirmation.count}
        onConfirm={confirmation.confirm}
        onCancel={confirmation.cancel}
      />
    </Form>
  )
}
