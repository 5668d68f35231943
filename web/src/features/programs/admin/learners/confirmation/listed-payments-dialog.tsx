import type { LearnerRow } from '@portal/contracts/catalog/learners'
import { useState } from 'react'
import { ListSource } from '../../../../../ui/list-source.tsx'
import { formatPaise } from '../../../../../ui/rupees.ts'
import { dayText } from '../../../../../ui/time.tsx'
import { RowList } from '../components/fate-list.tsx'
import { type ProgramDialogProps, useLearnerCalls } from '../components/learner-dialog.ts'
import { PreviewedDialog } from '../components/previewed-dialog.tsx'
import { paymentsText } from '../count-texts.ts'
import { type ProgramFees, usualAmount } from '../fees.ts'
import { rowErrors } from '../row-errors.ts'
import { useListText } from '../use-list-text.ts'
import { usePreviewedChange } from '../use-previewed-change.ts'
import { PaymentFields } from './payment-fields.tsx'
import { today, useFieldErrors, usePaymentForm } from './payment-form.ts'
import { type PaymentList, type PaymentRow, readPayments } from './read-payments.ts'

const sentRow = ({ contact, amount, paidOn, reference }: PaymentRow) => ({
  contact,
  ...(amount !== undefined && { amount }),
  ...(paidOn !== undefined && { paidOn }),
  ...(reference !== undefined && { reference }),
})

type Stated = Pick<PaymentRow, 'amount' | 'paidOn' | 'reference'>

/** '₹15,000 · Sep 28, 2026 · UTR…': what is confirmed, also where the row leaves it to the form. */
const factsOf = (row: Stated, form: Stated = {}): string => {
  const { amount = form.amount, paidOn = form.paidOn, reference = form.reference ?? '' } = row
  const facts = [
    amount === undefined ? '' : formatPaise(amount),
    paidOn === undefined ? '' : dayText(paidOn),
    reference,
  ]
  return facts.filter((fact) => fact !== '').join(' · ')
}

type ListedPaymentsDialogProps = ProgramDialogProps & { readonly program: ProgramFees | undefined }

/** Confirms the payments of a pasted list, or of the statement of a bank. */
export const ListedPaymentsDialog = ({ programId, program, reports, onClose }: ListedPaymentsDialogProps) => {
  const calls = useLearnerCalls(programId)
  const form = usePaymentForm(usualAmount([{ paymentStatus: 'Pending' }], program))
  const [notify, setNotify] = useState(false)
  const [withRepeats, setWithRepeats] = useState(false)
  const list = useListText()
  const [read, setRead] = useState<PaymentList>({ rows: [], leftOut: [] })
  const change = usePreviewedChange({ request: calls.pay, onDone: reports.paid, onClose })
  const hasFieldError = useFieldErrors(form, change.failure)
  const wrong = rowErrors(change.failure).flatMap(({ index, message }) => {
    const row = read.rows[index]
    return row ? [{ title: row.text, facts: factsOf(row) || undefined, fate: message }] : []
  })

  const preview = form.handleSubmit(async (payment) => {
    const result = await list.read((text) => readPayments(text, today()))
    if (!result?.isRead) return
    setRead(result.list)
    await change.preview({
      ...payment,
      notify,
      leaveOutRepeats: !withRepeats,
      contacts: result.list.rows.map(sentRow),
    })
  })
  const describe = ({ contact = '', fullName }: LearnerRow, index: number) => {
    const row = read.rows[index]
    return {
      title: fullName === undefined ? contact : `${fullName} · ${contact}`,
      facts: row && factsOf(row, change.body),
    }
  }
  return (
    <PreviewedDialog
      title="Confirm payments from a list"
      consequence="Each row has an email address or a student code, and its amount, date and reference if they are its own."
      change={change}
      isReading={list.isReading}
      confirmText={(count) => `Confirm ${paymentsText(count)}`}
      hasFieldError={hasFieldError || wrong.length > 0}
      onPreview={(event) => void preview(event)}
      onClose={onClose}
      describe={describe}
      leftOut={read.leftOut.map(({ text, problem }) => ({ title: text, fate: problem }))}
    >
      <ListSource
        label="List of payments"
        placeholder="asha@example.com, 15,000, 28.09.2026"
        note="CSV, text or Excel; or drop it here. Up to 500 payments. It is not stored."
        text={list.text}
        error={list.error}
        onText={list.setText}
        onFile={list.useFile}
      />
      {wrong.length > 0 && <RowList label="Rows to correct" rows={wrong} />}
      <PaymentFields
        form={form}
        repeats={{ areConfirmed: withRepeats, onChange: setWithRepeats }}
        notify={notify}
        onNotify={setNotify}
      />
    </PreviewedDialog>
  )
}
