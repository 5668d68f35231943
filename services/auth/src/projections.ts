import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import { registrationPublisher } from './registration/publish.ts'
import { openSessionsProjection } from './session/open-sessions-projection.ts'
import { sessionProjection } from './session/projection.ts'
import { sessionPublisher } from './session/publish.ts'
import { directoryProjection } from './user/directory-projection.ts'
import { loginProjection } from './user/login-projection.ts'
import { userPublisher } from './user/publish.ts'

/** What turns the log into read models: all that a replay needs of this context, and nothing that can send. */
export const authPublishers: readonly Publisher[] = [registrationPublisher, userPublisher, sessionPublisher]
export const authProjections: readonly Projection[] = [
  directoryProjection,
  loginProjection,
  sessionProjection,
  openSessionsProjection,
]
