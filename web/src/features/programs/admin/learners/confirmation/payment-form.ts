import { confirmPayments, futurePayment } from '@portal/contracts/catalog/learners'
import { dateInIndia } from '@portal/contracts/shared/india-time'
import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { useValidatedForm } from '../../../../../lib/form.ts'
import type { Failure } from '../../../../../lib/http.ts'
import { serverNowMs } from '../../../../../lib/server-clock.ts'
import { rupeesText } from '../../../../../ui/rupees.ts'
import { noAmount, paiseOf } from './amount.ts'

const { amount, paidOn, reference } = confirmPayments.body.shape

const typedAmount = z
  .string()
  .transform((text, context) => {
    const paise = paiseOf(text)
    if (paise === undefined) context.addIssue({ code: 'custom', message: noAmount })
    return paise ?? z.NEVER
  })
  .pipe(amount)

export const today = (): string => dateInIndia(serverNowMs())

const schema = z.object({
  amount: typedAmount,
  paidOn: paidOn.refine((day) => day <= today(), futurePayment.message),
  reference,
})

/** Amount, date and reference of payments. The date is today, in India. */
export const usePaymentForm = (usualPaise: number | undefined) =>
  useValidatedForm(schema, {
    amount: usualPaise === undefined ? '' : rupeesText(usualPaise),
    paidOn: today(),
    reference: '',
  })
export type PaymentForm = ReturnType<typeof usePaymentForm>

/** Shows what the server refused at its field. Returns whether a field shows it. */
export const useFieldErrors = (form: PaymentForm, failure: Failure | undefined): boolean => {
  const show = useEffectEvent((refused: Failure | undefined) => form.showErrors(refused?.errors))
  useEffect(() => show(failure), [failure])
  return Object.keys(failure?.errors ?? {}).some((name) => name in schema.shape)
}
