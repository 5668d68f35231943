import { semesterName } from '@portal/contracts/catalog/enrollment'
import { programNotFound } from '@portal/contracts/catalog/errors'
import { installmentsOf } from '@portal/contracts/catalog/installments'
import {
  enrollLearners,
  learnerChanges,
  type LearnerRow,
  lookUpUnavailable,
  moveLearners,
  noSuchSemester,
  reinstateLearners,
  sameProgram,
  setSemester,
  withdrawLearners,
} from '@portal/contracts/catalog/learners'
import type { Program } from '@portal/contracts/catalog/program'
import type { UserId } from '@portal/contracts/shared/ids'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { RequestCaller } from '@portal/platform/session/session'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bindToProgram } from '../program/bind-to-program.ts'
import type { ProgramReader } from '../program/program-reader.ts'
import type { ChangeLearners, ChangeRequest } from './change-learners.ts'
import type { InviteLearners } from '../learner-invitation/invite-learners.ts'
import { fatesMessage } from './fates-message.ts'
import type { LearnerContacts } from './learner-contacts.ts'
import { type RequestedChange, rowOfContact } from './learner-rows.ts'

export type LearnerRoutesDeps = {
  readonly bind: BindRoute
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
  readonly programs: Pick<ProgramReader, 'get'>
  readonly contacts: LearnerContacts
  readonly changeLearners: ChangeLearners
}

export type LearnerCall = {
  readonly headers: { readonly [idempotencyKeyHeader]?: string | undefined }
  readonly body: { readonly dryRun?: boolean }
  readonly session: RequestCaller
  readonly request: FastifyRequest
}

/** The same for a repetition with the same key, whatever process answers it. */
export const changeRequestOf = (call: LearnerCall, clockAndIds: Pick<ClockAndIds, 'newId'>): ChangeRequest => {
  const key = call.headers[idempotencyKeyHeader] ?? clockAndIds.newId()
  return {
    isDryRun: call.body.dryRun ?? false,
    requestId: deterministicEventId('learners', call.session.userId, key),
    metadata: metadataOf(call),
  }
}

const changedFates: ReadonlySet<LearnerRow['fate']> = new Set(learnerChanges)

export const fatesAnswer = (rows: readonly LearnerRow[], { isDryRun }: ChangeRequest) => {
  const changed = rows.filter(({ fate }) => changedFates.has(fate)).length
  const message = fatesMessage(rows)
  return { success: true as const, message: isDryRun ? `Preview: ${message}` : message, changed, rows: [...rows] }
}

const commandFor = ({ _id: programId, programName }: Program, userId: UserId) => ({ programId, programName, userId })

/** Learners in one program: they are enrolled, withdrawn, moved, and their semester is set. */
export const learnerRoutes = (
  app: FastifyInstance,
  deps: LearnerRoutesDeps & { readonly inviteLearners: InviteLearners },
): void => {
  const { bind, clockAndIds, programs, contacts, changeLearners, inviteLearners } = deps
  const bindProgram = bindToProgram(bind)

  const change = async (
    call: LearnerCall & { readonly body: { readonly userIds: readonly UserId[] } },
    command: (userId: UserId) => RequestedChange['command'],
  ) => {
    const rows = call.body.userIds.map((userId) => ({ row: { userId }, command: command(userId) }))
    const request = changeRequestOf(call, clockAndIds)
    return ok(fatesAnswer(await changeLearners(rows, request), request))
  }

  /** Runs with the program, if it is in the catalog. */
  const inProgram = async <T>(
    id: Program['_id'],
    run: (program: Program) => Promise<Result<T, ApiError>>,
  ): Promise<Result<T, ApiError>> => {
    const program = await programs.get(id)
    return program ? run(program) : rejected(programNotFound)
  }

  bindProgram(app, enrollLearners, (call, id) =>
    inProgram(id, async (program) => {
      const found = await contacts.find(call.body.contacts, call.request)
      if (!found.ok) return rejected(lookUpUnavailable)
      const request = changeRequestOf(call, clockAndIds)
      const strangers = found.value.flatMap(({ contact, person }) => (person ? [] : [contact]))
      const invited = await inviteLearners(strangers, { program, invitedBy: call.session.userId, request })
      if (!invited.ok) return invited
      const invitedRows = invited.value.values()
      const enrolledAt = clockAndIds.now().toISOString()
      const rows = found.value.map((one) =>
        one.person
          ? rowOfContact(one, (userId) => ({
              isForNewLearners: true,
              command: async () => ({ type: 'Enroll', ...commandFor(program, userId), enrolledAt }),
            }))
          : (invitedRows.next().value ?? { contact: one.contact, fate: 'unknown' as const }),
      )
      return ok(fatesAnswer(await changeLearners(rows, request), request))
    }),
  )

  bindProgram(app, withdrawLearners, (call, id) =>
    inProgram(id, (program) =>
      change(call, (userId) => async (encrypt) => ({
        type: 'Withdraw',
        ...commandFor(program, userId),
        reason: await encrypt(call.body.reason),
      })),
    ),
  )

  bindProgram(app, reinstateLearners, (call, id) =>
    inProgram(id, (program) =>
      change(call, (userId) => async () => ({ type: 'Reinstate', ...commandFor(program, userId) })),
    ),
  )

  bindProgram(app, moveLearners, (call, id) =>
    inProgram(call.body.toProgramId, async (to) => {
      if (to._id === id) return rejected(sameProgram)
      const movedAt = clockAndIds.now().toISOString()
      const installmentsPaise = installmentsOf(to)
      return change(call, (userId) => async () => ({
        type: 'Move',
        ...commandFor(to, userId),
        fromProgramId: id,
        movedAt,
        installmentsPaise,
      }))
    }),
  )

  bindProgram(app, setSemester, (call, id) =>
    inProgram(id, async (program) => {
      const { semester } = call.body
      if (semester > program.semesterCount)
        return rejected({ ...noSuchSemester, errors: { semester: noSuchSemester.message } })
      return change(call, (userId) => async () => ({
        type: 'SetSemester',
        ...commandFor(program, userId),
        semester: semesterName(semester),
      }))
    }),
  )
}
