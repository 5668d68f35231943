import { installmentsOf } from '@portal/contracts/catalog/installments'
import {
  confirmPayments,
  futurePayment,
  type ListedPayment,
  lookUpUnavailable,
  revertPayments,
} from '@portal/contracts/catalog/learners'
import { programNotFound } from '@portal/contracts/catalog/errors'
import type { Program } from '@portal/contracts/catalog/program'
import type { UserId } from '@portal/contracts/shared/ids'
import { dateInIndia } from '@portal/contracts/shared/india-time'
import { ok, rejected } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { FastifyInstance } from 'fastify'
import { bindToProgram } from '../program/bind-to-program.ts'
import type { Payment } from './events.ts'
import { changeRequestOf, fatesAnswer, type LearnerRoutesDeps } from './learner-routes.ts'
import { type RequestedChange, rowOfContact, type StatedPayment } from './learner-rows.ts'

const inFuture = (field: string): ApiError => ({ ...futurePayment, errors: { [field]: futurePayment.message } })

/** What a row of a list leaves out is that of the request. */
const statedBy = ({ amount, paidOn, reference }: StatedPayment, row: ListedPayment): StatedPayment => ({
  amount: row.amount ?? amount,
  paidOn: row.paidOn ?? paidOn,
  reference: row.reference || reference,
})

type PaymentRoutesDeps = LearnerRoutesDeps & { readonly vault: Pick<PersonalDataVault, 'index'> }

/** Payments that the center has received. The portal itself takes none. */
export const paymentRoutes = (app: FastifyInstance, deps: PaymentRoutesDeps): void => {
  const { bind, clockAndIds, vault, programs, contacts, changeLearners } = deps
  const bindProgram = bindToProgram(bind)

  /** The day may have begun already where the admin is. */
  const lastDay = (): string => dateInIndia(clockAndIds.now().getTime() + 24 * 3_600_000)
  const futureDay = (request: StatedPayment, rows: readonly ListedPayment[] = []): ApiError | undefined => {
    const last = lastDay()
    if (request.paidOn > last) return inFuture('paidOn')
    const row = rows.findIndex((listed) => statedBy(request, listed).paidOn > last)
    return row === -1 ? undefined : inFuture(`contacts.${row}.paidOn`)
  }

  const confirmation =
    (program: Program, options: { readonly notify: boolean; readonly leaveOutRepeats: boolean }) =>
    (userId: UserId, stated: StatedPayment): Omit<RequestedChange, 'row'> => ({
      payment: stated,
      command: async (encrypt, paymentId) => {
        const { amount: amountPaise, paidOn, reference } = stated
        const referenceFields = reference !== '' && {
          reference: await encrypt(reference),
          referenceIndex: vault.index('payment', reference.toLowerCase()),
        }
        const payment: Payment = { paymentId, amountPaise, paidOn, ...referenceFields }
        const { _id: programId, programName } = program
        const installmentsPaise = installmentsOf(program)
        return { type: 'ConfirmPayment', userId, programId, programName, payment, installmentsPaise, ...options }
      },
    })

  bindProgram(app, confirmPayments, async (call, id) => {
    const { userIds = [], contacts: given = [], notify, leaveOutRepeats, ...stated } = call.body
    const listed = given.map((row): ListedPayment => (typeof row === 'string' ? { contact: row } : row))
    const tooLate = futureDay(stated, listed)
    if (tooLate) return rejected(tooLate)
    const program = await programs.get(id)
    if (!program) return rejected(programNotFound)
    const request = changeRequestOf(call, clockAndIds)
    const confirm = confirmation(program, { notify, leaveOutRepeats })
    const found = await contacts.find(
      listed.map(({ contact }) => contact),
      call.request,
    )
    if (!found.ok) return rejected(lookUpUnavailable)
    const rows = [
      ...userIds.map((userId) => ({ row: { userId }, ...confirm(userId, stated) })),
      ...found.value.map((one, index) => {
        const row = listed[index]
        return rowOfContact(one, (userId) => confirm(userId, row ? statedBy(stated, row) : stated))
      }),
    ]
    return ok({ ...fatesAnswer(await changeLearners(rows, request), request), paymentId: request.requestId })
  })

  bindProgram(app, revertPayments, async (call, id) => {
    const { userIds, reason, paymentId } = call.body
    const program = await programs.get(id)
    if (!program) return rejected(programNotFound)
    const { _id: programId, programName } = program
    const installmentsPaise = installmentsOf(program)
    const rows = userIds.map((userId): RequestedChange => ({
      row: { userId },
      command: async (encrypt) => ({
        type: 'RevertPayments',
        userId,
        programId,
        programName,
        installmentsPaise,
        paymentId,
        reason: await encrypt(reason),
      }),
    }))
    const request = changeRequestOf(call, clockAndIds)
    return ok(fatesAnswer(await changeLearners(rows, request), request))
  })
}
