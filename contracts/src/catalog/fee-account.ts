import { z } from 'zod'
import { limits } from '../shared/rules.ts'

/** All amounts are in paise, so that they are whole numbers. */
export const paisePerRupee = 100

const wholePaise = 'Amount must be a whole number of paise, at least 1'
export const amountPaiseSchema = z
  .number(wholePaise)
  .int(wholePaise)
  .min(1, wholePaise)
  .max(100_000_000 * paisePerRupee, 'The amount is too large')

/** What a learner owes for a program and has paid for it. */
export const feeAccountSchema = z.object({
  /** In the order in which they are due. */
  installmentsPaise: z.array(amountPaiseSchema).max(limits.semesters),
  paidPaise: z.number().int().min(0),
})
export type FeeAccount = z.infer<typeof feeAccountSchema>
