import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import type { AuthProjection } from './auth-projection.ts'
import { apiKeysProjection } from './api-key/projection.ts'
import { invitationsProjection } from './invitation/projection.ts'
import {
  adminRosterPublisher,
  apiKeysPublisher,
  apiKeyUsePublisher,
  invitationPublisher,
  registrationPublisher,
  secondFactorPublisher,
  sessionPublisher,
  userPublisher,
} from './publish.ts'
import { unfinishedProjection } from './registration/unfinished.ts'
import { openSessionsProjection, sessionProjection } from './session/projection.ts'
import { universityNamesProjection } from './user/current-university.ts'
import { directoryProjection, loginProjection } from './user/projection.ts'

/** The publishers and projections that a replay needs. Nothing here can send messages to people. */
export const authPublishers: readonly Publisher[] = [
  registrationPublisher,
  userPublisher,
  sessionPublisher,
  adminRosterPublisher,
  invitationPublisher,
  apiKeysPublisher,
  apiKeyUsePublisher,
  secondFactorPublisher,
]
/** Those of auth's own messages. */
export const ownProjections: readonly AuthProjection[] = [
  directoryProjection,
  loginProjection,
  sessionProjection,
  openSessionsProjection,
  invitationsProjection,
  unfinishedProjection,
  apiKeysProjection,
]
export const authProjections: readonly Projection[] = [...ownProjections, universityNamesProjection]
