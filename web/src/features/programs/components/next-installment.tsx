import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { installmentText } from '../../../ui/rupees.ts'

/** A line of its own below the status of the fees. */
const Line = styled('span')({ flexBasis: '100%', fontVariantNumeric: 'tabular-nums' })

type NextInstallmentProps = { readonly enrollment: Pick<Enrollment, 'feeAccount' | 'paymentStatus' | 'withdrawnAt'> }

/** What a learner pays next, once a first payment is confirmed. */
export const NextInstallment = ({ enrollment: { feeAccount, paymentStatus, withdrawnAt } }: NextInstallmentProps) => {
  const isOpen = feeAccount !== undefined && paymentStatus !== 'Completed' && withdrawnAt === null
  const text = isOpen ? installmentText(feeAccount, 'is next') : undefined
  return text === undefined ? null : <Line>{text}</Line>
}
