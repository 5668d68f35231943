import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { Controller } from 'react-hook-form'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { hasConditions, type Rule } from '../audience/rule.ts'
import type { AudienceCount } from '../audience/use-audience-count.ts'
import { formatCount } from '../progress.ts'
import { DraftsMenu } from '../drafts/drafts-menu.tsx'
import { SavedNotice } from '../../../ui/saved-notice.tsx'
import { HeldSends } from '../held/held-send.tsx'
import { LaterFields } from '../scheduled/later-fields.tsx'
import type { SendLater } from '../scheduled/use-send-later.ts'
import { useCompose } from '../use-compose.ts'
import { ButtonFields } from './button-fields.tsx'
import { PictureField } from './picture-field.tsx'
import { PanelHead } from './panel-head.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { SendDialog } from './send-dialog.tsx'
import { TemplatesMenu } from '../templates/templates-menu.tsx'
import { TextFields } from './text-fields.tsx'
import { UrgentField } from './urgent-field.tsx'

/** Dialogs with forms of their own are outside of the form, which would get their events. */
const Panel = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5), '& > *': { minWidth: 0 } }))

const Form = styled('form')(({ theme }) => ({
  '&, & > .fields': { display: 'grid', gap: theme.spacing(5), '& > *': { minWidth: 0 } },
  '& > .fields': { transition: theme.transitions.create('opacity') },
  '& > .fields[inert]': { opacity: 0.6 },
}))

const Buttons = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(2) }))

/** The number of recipients as far as it is known. Ticked people need no request. */
const knownCount = (rule: Rule, { data, isStale, failure }: AudienceCount): number => {
  if (!hasConditions(rule)) return rule.include.size
  return isStale || failure ? 0 : (data?.count ?? 0)
}

const sendText = (count: number) => {
  if (count === 0) return 'Send notification'
  return `Send to ${formatCount(count)} ${count === 1 ? 'user' : 'users'}`
}

const scheduleText = ({ edited }: SendLater): string => (edited ? 'Save changes' : 'Schedule')
const cancelText = ({ edited }: SendLater): string => (edited ? 'Leave it as it is' : 'Send now instead')

/** Focuses the send button if a control of the hold, or of the time of a send for later, had the focus and has disappeared. */
const useFocusAfterSend = (isHeld: boolean, isTimed: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  const hadControls = useRef(false)
  const hasControls = isHeld || isTimed
  useEffect(() => {
    if (hadControls.current && !hasControls && document.activeElement === document.body) button.current?.focus()
    hadControls.current = hasControls
  }, [hasControls])
  return button
}

type ComposeFormProps = { readonly onSent: () => void; readonly onScheduled: (isNew: boolean) => void }

export const ComposeForm = (props: ComposeFormProps) => {
  const compose = useCompose(props)
  const { draft, form, round, rule, changeRule, ruleError, count, searchRef, busy, uncertain, restore } = compose
  const { submit, submitTest, isTesting, confirmation, heldAs, isHeld, later } = compose
  const sendButton = useFocusAfterSend(isHeld, later.fields !== undefined)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <Panel>
      <PanelHead id="compose-heading" title="New notification">
        <DraftsMenu draft={draft} />
      </PanelHead>
      <div inert={isHeld}>
        <TemplatesMenu draft={draft} />
      </div>
      <Form noValidate onSubmit={submit} onKeyDown={onKeyDown} aria-labelledby="compose-heading">
        {later.edited && (
          <Typography variant="body2" role="status" sx={{ overflowWrap: 'anywhere' }}>
            {`You are changing the scheduled notification “${later.edited.title}”.`}
          </Typography>
        )}
        {restore && (
          <Typography variant="body2" role="status">
            <span>{`Your unsent notification${restore.title === '' ? '' : ` “${restore.title}”`} was put aside.`}</span>
            <Button variant="text" color="secondary" size="small" onClick={restore.run}>
              Restore it
            </Button>
          </Typography>
        )}
        <div className="fields" inert={isHeld}>
          <TextFields form={form} round={round} />
          <PictureField key={`picture ${round}`} form={form} />
          <ButtonFields key={`button ${round}`} form={form} />
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
          <UrgentField form={form} />
          <RecipientsField
            key={round}
            rule={rule}
            count={count}
            error={ruleError}
            searchRef={searchRef}
            onChange={changeRule}
          />
        </div>
        {uncertain && (
          <Typography variant="body2" role="status">
            No answer came, so it may or may not have been sent. Your text is still here. If you send it again
            unchanged, it is not delivered twice.
          </Typography>
        )}
        {!isHeld && <SavedNotice saved={draft.saved} />}
        <HeldSends own={heldAs} />
        {!isHeld && later.fields && (
          <LaterFields fields={later.fields} error={later.error} takesFocus={!later.edited} onChange={later.change} />
        )}
        {!isHeld && (
          <Buttons>
            <BusyButton
              ref={sendButton}
              type="submit"
              size="large"
              fullWidth
              busy={busy}
              busyText={later.fields ? 'Scheduling...' : 'Sending...'}
              aria-keyshortcuts="Control+Enter Meta+Enter"
            >
              {later.fields ? scheduleText(later) : sendText(knownCount(rule, count))}
            </BusyButton>
            <Button variant="outlined" color="secondary" fullWidth onClick={later.fields ? later.cancel : later.begin}>
              <span>{later.fields ? cancelText(later) : 'Send later'}</span>
            </Button>
            <BusyButton
              variant="text"
              color="secondary"
              fullWidth
              busy={isTesting}
              busyText="Sending the test..."
              onClick={submitTest}
            >
              Send me a test
            </BusyButton>
          </Buttons>
        )}
        <SendDialog
          sending={confirmation.sending}
          count={confirmation.count}
          onConfirm={confirmation.confirm}
          onCancel={confirmation.cancel}
        />
      </Form>
    </Panel>
  )
}
