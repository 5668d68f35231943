import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { FastifyInstance } from 'fastify'
import type { RecordEnrollment } from '../enrollment/record-enrollment.ts'
import type { ProgramReader } from '../program/program-reader.ts'
import { createAcceptLearnerInvitations } from './accept-learner-invitations.ts'
import { createInviteLearners } from './invite-learners.ts'
import { createLearnerInvitationReactor } from './learner-invitation-reactor.ts'
import { createLearnerInvitationReader, learnerInvitationsProjection } from './projection.ts'
import { createRecordLearnerInvitation } from './record-learner-invitation.ts'
import { createRecordedAccounts } from './recorded-accounts.ts'
import { learnerInvitationRoutes } from './routes.ts'

type LearnerInvitationsDeps = ServiceDeps & {
  readonly programs: ProgramReader
  readonly recordEnrollment: RecordEnrollment
  readonly maxOpenInvitations?: number | undefined
}

/** Wires the invitations of people without an account into the catalog. */
export const buildLearnerInvitations = (deps: LearnerInvitationsDeps) => {
  const { eventStore, vault, readModels } = deps
  const readModel = readModels.of(learnerInvitationsProjection)
  const parts = {
    ...deps,
    invitations: createLearnerInvitationReader(readModel),
    recordInvitation: createRecordLearnerInvitation({ eventStore, vault, readModel }),
    accounts: createRecordedAccounts(deps),
  }
  const { start, stop } = createLearnerInvitationReactor({
    ...parts,
    acceptInvitations: createAcceptLearnerInvitations(parts),
  })
  return {
    inviteLearners: createInviteLearners(parts),
    routes: (app: FastifyInstance): void => learnerInvitationRoutes(app, parts),
    start,
    stop,
  }
}
