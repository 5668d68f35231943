import type { LearnerFate, LearnerRow } from '@portal/contracts/catalog/learners'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { ok, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, Position } from '@portal/platform/event-store/port'
import { ErasedUserError, type PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { type EnrollmentCommand, enrollmentDecider, type EnrollmentRejection } from './decider.ts'
import { isDecided, type RequestedChange, withoutRepetitions } from './learner-rows.ts'
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

const rejectedRow = (row: Omit<LearnerRow, 'fate'>, rejection: EnrollmentRejection): LearnerRow => {
  if (rejection.reason === 'too-many') return { ...row, fate: 'too-many-programs' }
  if (rejection.reason !== 'amount-differs') return { ...row, fate: rejection.reason }
  const { reason: fate, duePaise } = rejection
  return { ...row, fate, ...(duePaise !== undefined && { duePaise }) }
}

type Outcome = { readonly row: LearnerRow; readonly position?: Position | undefined }

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
  ): Promise<Result<{ readonly position?: Position | undefined }, EnrollmentRejection>> => {
    if (!isDryRun) return recordEnrollment.record(command, { known, ...request })
    const decided = enrollmentDecider.decide(command, known.state)
    return decided.ok ? ok({}) : decided
  }

  const change = async (requested: RequestedChange, request: ChangeRequest): Promise<Outcome> => {
    const { row, isForNewLearners } = requested
    const known = await recordEnrollment.load(row.userId)
    // Encrypting makes a key, which an id without a user must not get.
    if (known.state.size === 0 && !isForNewLearners) return { row: { ...row, fate: 'not-enrolled' } }
    const command = await requested.command((typed) => vault.encrypt(row.userId, typed))
    if (command.type === 'Enroll' && known.state.get(command.programId)?.isCurrent)
      return { row: { ...row, fate: 'already-enrolled' } }
    const decided = await decide(known, command, request)
    if (!decided.ok) return { row: rejectedRow(row, decided.error) }
    return { row: { ...row, fate: fateOfCommand[command.type] }, position: decided.value.position }
  }

  const changeUnlessErased = async (requested: RequestedChange, request: ChangeRequest): Promise<Outcome> => {
    try {
      return await change(requested, request)
    } catch (error) {
      if (!(error instanceof ErasedUserError)) throw error
      return { row: { ...requested.row, fate: 'unknown' } }
    }
  }

  const untilApplied = async (positions: ReadonlyMap<string, Position>): Promise<void> => {
    const waits = [...positions].map(([partition, eventPosition]) =>
      waitForProjection(readModel, { projection: enrollmentsProjection, partition, eventPosition }),
    )
    await Promise.all(waits)
  }

  /** Changes what is not decided. Returns the rows in their order, once the learners' lists show what is recorded. */
  return async (
    requested: readonly (RequestedChange | LearnerRow)[],
    request: ChangeRequest,
  ): Promise<readonly LearnerRow[]> => {
    const rows: LearnerRow[] = []
    const positions = new Map<string, Position>()
    await forEachConcurrently(concurrency, withoutRepetitions(requested).entries(), async ([index, one]) => {
      if (isDecided(one)) {
        rows[index] = one
        return
      }
      const { row, position } = await changeUnlessErased(one, request)
      rows[index] = row
      if (position === undefined) return
      const bucket = bucketKey(one.row.userId)
      const last = positions.get(bucket)
      if (last === undefined || last < position) positions.set(bucket, position)
    })
    await untilApplied(positions)
    return rows
  }
}
export type ChangeLearners = ReturnType<typeof createChangeLearners>
