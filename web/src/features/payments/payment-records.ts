import type { BadgeTone } from '../../ui/type-badge.tsx'

/** Sample data of the payments page: the portal neither takes nor stores payments. */
type PaymentRecord = {
  readonly id: string
  readonly programName: string
  readonly description: string
  /** Rupees. */
  readonly amount: number
  readonly status: 'Completed' | 'Pending' | 'Failed'
  /** Day, ISO 8601. */
  readonly date: string
}

export const paymentTones: Readonly<Record<PaymentRecord['status'], BadgeTone>> = {
  Completed: 'green',
  Pending: 'yellow',
  Failed: 'red',
}

export const paymentRecords: readonly PaymentRecord[] = [
  {
    id: 'PAY-1004',
    programName: 'Minor in Artificial Intelligence',
    description: 'Second installment, semester 2',
    amount: 15_000,
    status: 'Pending',
    date: '2026-12-05',
  },
  {
    id: 'PAY-1003',
    programName: 'Minor in Artificial Intelligence',
    description: 'First installment, semester 1',
    amount: 15_000,
    status: 'Completed',
    date: '2026-08-04',
  },
  {
    id: 'PAY-1002',
    programName: 'Minor in Artificial Intelligence',
    description: 'First installment, semester 1',
    amount: 15_000,
    status: 'Failed',
    date: '2026-08-03',
  },
  {
    id: 'PAY-1001',
    programName: 'Minor in Artificial Intelligence',
    description: 'Registration fee',
    amount: 1_000,
    status: 'Completed',
    date: '2026-07-20',
  },
]

export const feeBreakdown = {
  semester: 2,
  /** Rupees. */
  tuitionFee: 11_000,
  laboratoryFee: 2_500,
  developmentFee: 1_500,
  /** Day, ISO 8601. */
  dueDate: '2026-12-05',
} as const
