import type { LearnerFate, LearnerRow } from '@portal/contracts/catalog/learners'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { messagePosition } from '@portal/platform/bus/relay'
import { ok, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, Position } from '@portal/platform/event-store/port'
import { ErasedUserError, type PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { type EnrollmentCommand, enrollmentDecider, type EnrollmentRejection } from './decider.ts'
import { planChanges, type PlannedChange, type RequestedChange } from './learner-rows.ts'
import { partOfRequest } from './events.ts'
import { enrollmentsProjection } from './projection.ts'
import type { LoadedEnrollments, RecordEnrollment } from './record-enrollment.ts'

export type ChangeRequest = {
  /** Says what would happen, and records nothing. */
  readonly isDryRun: boolean
  readonly requestId: string
  readonly metadata: EventMetadata
}

/** The store groups concurrent appends. */
const concurrency = 32

const fateOfCommand: Readonly<Record<EnrollmentCommand['type'], LearnerFate>> = {
  Enroll: 'enrolled',
  ConfirmPayment: 'confirmed',
  RevertPayments: 'reverted',
  SetSemester: 'semester-set',
  Withdraw: 'withdrawn',
  Reinstate: 'reinstated',
  Move: 'moved',
}

/** If another admin was faster. */
const fateOfNoChange: Partial<typeof fateOfCommand> = {
  Enroll: 'already-enrolled',
  SetSemester: 'same-semester',
  Reinstate: 'already-enrolled',
}

const rejectedRow = (row: Omit<LearnerRow, 'fate'>, rejection: EnrollmentRejection): LearnerRow => {
  if (rejection.reason === 'too-many') return { ...row, fate: 'too-many-programs' }
  if (rejection.reason !== 'amount-differs') return { ...row, fate: rejection.reason }
  const { reason: fate, duePaise } = rejection
  return { ...row, fate, ...(duePaise !== undefined && { duePaise }) }
}

/** The enrollments after a change that is only previewed. */
type Previewed = { readonly previewed?: LoadedEnrollments | undefined }
type Decided = Previewed & { readonly isChange: boolean; readonly position?: Position | undefined }
type Outcome = Previewed & {
  readonly row: LearnerRow
  /** Of the last message on the bus. */
  readonly position?: string | undefined
}

type ChangeLearnersDeps = {
  readonly recordEnrollment: RecordEnrollment
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly vault: Pick<PersonalDataVault, 'encrypt'>
}

/**
 * Changes the enrollments of many learners, each in its own stream. Each row gets the fate that its decision has, in a preview the one
 * that it would have.
 */
export const createChangeLearners = ({ recordEnrollment, readModel, vault }: ChangeLearnersDeps) => {
  const decide = async (
    known: LoadedEnrollments,
    command: EnrollmentCommand,
    { isDryRun, ...request }: ChangeRequest,
  ): Promise<Result<Decided, EnrollmentRejection>> => {
    const repeated = recordEnrollment.repeated(command, { known, ...request })
    if (repeated !== undefined) return ok({ isChange: true, position: repeated })
    if (isDryRun) {
      const decided = enrollmentDecider.decide(command, known.state)
      if (!decided.ok) return decided
      const state = decided.value.reduce((folded, event) => enrollmentDecider.evolve(folded, event), known.state)
      return ok({ isChange: decided.value.length > 0, previewed: { ...known, state } })
    }
    const recorded = await recordEnrollment.record(command, { known, ...request })
    if (!recorded.ok) return recorded
    const { events, position } = recorded.value
    return ok({ isChange: events.length > 0, position })
  }

  const change = async (
    { row, isForNewLearners, ...requested }: RequestedChange,
    request: ChangeRequest,
    known: LoadedEnrollments,
  ): Promise<Outcome> => {
    // Encrypting makes a key, which an id without a user must not get.
    if (known.state.size === 0 && !isForNewLearners) return { row: { ...row, fate: 'not-enrolled' } }
    const encrypt = (typed: string) => vault.encrypt(row.userId, typed)
    // Throws for an erased user, about whom nothing more is recorded, also if the admin has typed nothing.
    await encrypt('')
    const command = await requested.command(encrypt, request.requestId)
    const decided = await decide(known, command, request)
    if (!decided.ok) return { row: rejectedRow(row, decided.error) }
    const { isChange, position, previewed } = decided.value
    const fate = fateOfCommand[command.type]
    return {
      row: { ...row, fate: isChange ? fate : (fateOfNoChange[command.type] ?? fate) },
      position: position && messagePosition(position, command.type === 'Move' ? 1 : 0),
      previewed,
    }
  }

  const changeUnlessErased = async (
    { requested, part }: PlannedChange,
    request: ChangeRequest,
    previewed: LoadedEnrollments | undefined,
  ): Promise<Outcome> => {
    try {
      const known = previewed ?? (await recordEnrollment.load(requested.row.userId))
      return await change(requested, { ...request, requestId: partOfRequest(request.requestId, part) }, known)
    } catch (error) {
      if (!(error instanceof ErasedUserError)) throw error
      return { row: { ...requested.row, fate: 'unknown' } }
    }
  }

  const untilApplied = async (positions: ReadonlyMap<string, string>): Promise<void> => {
    const waits = [...positions].map(([partition, last]) =>
      waitForProjection(readModel, { projection: enrollmentsProjection, partition, messagePosition: last }),
    )
    await Promise.all(waits)
  }

  /** Changes what is not decided. Returns the rows in their order, once the learners' lists show what is recorded. */
  return async (
    requested: readonly (RequestedChange | LearnerRow)[],
    request: ChangeRequest,
  ): Promise<readonly LearnerRow[]> => {
    const { rows, people } = planChanges(requested)
    const positions = new Map<string, string>()
    await forEachConcurrently(concurrency, people, async (changes) => {
      let before: LoadedEnrollments | undefined
      for (const planned of changes) {
        const { row, position, previewed } = await changeUnlessErased(planned, request, before)
        rows[planned.index] = row
        before = previewed ?? before
        if (position === undefined) continue
        const bucket = bucketKey(planned.requested.row.userId)
        const last = positions.get(bucket)
        if (last === undefined || last < position) positions.set(bucket, position)
      }
    })
    await untilApplied(positions)
    return rows
  }
}
export type ChangeLearners = ReturnType<typeof createChangeLearners>
