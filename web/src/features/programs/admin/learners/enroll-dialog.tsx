import { learnerLimits } from '@portal/contracts/catalog/learners'
import { findContacts } from '../../../../lib/lists/find-contacts.ts'
import { rowsOf } from '../../../../lib/lists/rows.ts'
import { ListSource } from '../../../../ui/list-source.tsx'
import { groupedAsInIndia } from '../../../../lib/number-format.ts'
import { RowList } from './components/fate-list.tsx'
import { type ProgramDialogProps, useLearnerCalls } from './components/learner-dialog.ts'
import { PreviewedDialog } from './components/previewed-dialog.tsx'
import { peopleText } from './count-texts.ts'
import { MailNote } from './invited/mail-note.tsx'
import { rowErrors } from './row-errors.ts'
import { useListText } from './use-list-text.ts'
import { usePreviewedChange } from './use-previewed-change.ts'

type ReadContacts =
  { readonly isRead: true; readonly contacts: readonly string[] } | { readonly isRead: false; readonly message: string }

const readContacts = async (text: string): Promise<ReadContacts> => {
  const contacts = await findContacts(rowsOf(text))
  if (contacts.length === 0) return { isRead: false, message: 'No email addresses or student codes were found.' }
  return contacts.length > learnerLimits.listed
    ? { isRead: false, message: 'This has more than 5,000 entries. Split it and enroll them in several steps.' }
    : { isRead: true, contacts }
}

const confirmText = (changed: number, invited: number): string => {
  if (invited === 0) return `Enroll ${peopleText(changed)}`
  if (invited === changed) return `Invite ${peopleText(invited)}`
  return `Enroll ${groupedAsInIndia(changed - invited)}, invite ${groupedAsInIndia(invited)}`
}

type Enrolling = { readonly contacts: string[] }

/** Enrolls one person, or those of a list, by address or student code. Invites addresses without an account. */
export const EnrollDialog = ({ programId, reports, onClose }: ProgramDialogProps) => {
  const calls = useLearnerCalls(programId)
  const list = useListText()
  const change = usePreviewedChange({
    request: (body: Enrolling & { readonly dryRun: boolean }) => calls.enroll(body),
    onDone: reports.enrolled,
    onClose,
  })
  const wrong = rowErrors(change.failure).map(({ index, message }) => ({ title: `Entry ${index + 1}`, fate: message }))
  const invited = change.fates?.rows.filter(({ fate }) => fate === 'invited').length ?? 0
  const preview = async () => {
    const result = await list.read(readContacts)
    if (result?.isRead) await change.preview({ contacts: [...result.contacts] })
  }
  return (
    <PreviewedDialog
      title="Enroll"
      change={change}
      isReading={list.isReading}
      summary={
        invited > 0 ? (
          <MailNote>People without an account are invited: they are enrolled when they register.</MailNote>
        ) : undefined
      }
      confirmText={(count) => confirmText(count, invited)}
      hasFieldError={wrong.length > 0}
      onPreview={() => void preview()}
      onClose={onClose}
      describe={({ contact = '', fullName }) => ({
        title: fullName ?? contact,
        facts: fullName === undefined ? undefined : contact,
      })}
    >
      <ListSource
        label="Email addresses or student codes"
        placeholder="One on each line, or a table with a column of them"
        note="CSV, text or Excel; or drop it here. Up to 5,000 entries."
        text={list.text}
        error={list.error}
        onText={list.setText}
        onFile={list.useFile}
      />
      {wrong.length > 0 && <RowList label="Rows to correct" rows={wrong} />}
    </PreviewedDialog>
  )
}
