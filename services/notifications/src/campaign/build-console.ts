import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventStore } from '@portal/platform/event-store/port'
import type { BindRoute } from '@portal/platform/http/handler'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { PeopleIndex } from '../audience/people-index.ts'
import type { CampaignStates } from './campaign-states.ts'
import { createExportRecipients } from './export-recipients.ts'
import { createRecipientsReader } from './recipients-reader.ts'
import { recipientsRoutes } from './recipients-routes.ts'
import { createRecipientsViews } from './recipients-view.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: ReadStore
  readonly people: PeopleIndex
  readonly states: CampaignStates
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly securityLog: SecurityLog
}

/** What admins see of a campaign after the send. */
export const buildConsole = ({ eventStore, readModel, people, states, clockAndIds, securityLog }: Deps) => {
  const recipients = createRecipientsReader({ readModel, views: createRecipientsViews({ readModel, people }) })
  const exportAll = createExportRecipients({ eventStore, recipients, states, clockAndIds })
  return {
    routes: (app: FastifyInstance, bind: BindRoute): void => {
      recipientsRoutes(app, { bind, securityLog, recipients, exportAll })
    },
  }
}
