import { type FeeAccount, paisePerRupee } from '@portal/contracts/catalog/fee-account'
import { openInstallments } from '@portal/contracts/catalog/installments'
import { groupedAsInIndia } from '../lib/number-format.ts'

/** '15,000' or '15,000.50'. */
export const rupeesText = (paise: number): string => {
  const rest = paise % paisePerRupee
  const rupees = groupedAsInIndia((paise - rest) / paisePerRupee)
  return rest === 0 ? rupees : `${rupees}.${String(rest).padStart(2, '0')}`
}

/** '₹15,000' or '₹15,000.50'. */
export const formatPaise = (paise: number): string => `₹${rupeesText(paise)}`

/** 'Installment 2 of 3 is next: ₹15,000'; undefined once all is paid. `verb` is what stands between number and amount. */
export const installmentText = (account: FeeAccount, verb: 'is next' | 'open'): string | undefined => {
  const [next] = openInstallments(account)
  if (next === undefined) return undefined
  return `Installment ${next.number} of ${account.installmentsPaise.length} ${verb}: ${formatPaise(next.openPaise)}`
}
