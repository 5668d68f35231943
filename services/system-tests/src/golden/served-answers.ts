import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import { callRoute, logIn, wholeInbox } from '../testing/api-client.ts'
import type { Expectations } from './golden-folder.ts'

type Accounts = Pick<Expectations, 'admin' | 'learners'>

const servedToLearner = async (address: string, token: string) => {
  const { user } = await callRoute(address, auth.getProfile, { token })
  const { programs } = await callRoute(address, catalog.listMyPrograms, { token })
  const inbox = await wholeInbox(address, token)
  const { count } = await callRoute(address, notifications.countUnread, { token })
  return { user, programs, inbox, count }
}

const servedToAdmin = async (address: string, token: string) => {
  const { users } = await callRoute(address, auth.listUsers, { token })
  const { data: programs } = await callRoute(address, catalog.listAdminPrograms, { token })
  const universities = await callRoute(address, catalog.listUniversities)
  const query = { page: 1, limit: 100 }
  const { notifications: sent } = await callRoute(address, notifications.listRecentNotifications, { token, query })
  return { users, programs, universities, sent }
}

/** What a portal answers to each account, as JSON. Logs each of them in. */
export const servedAnswers = async (address: string, { admin, learners }: Accounts): Promise<unknown> => {
  const signIn = async ({ email, password }: Accounts['admin']) => (await logIn(address, email, password)).token
  const toLearners: Record<string, unknown> = {}
  for (const learner of learners) toLearners[learner.email] = await servedToLearner(address, await signIn(learner))
  const answers = { admin: await servedToAdmin(address, await signIn(admin)), learners: toLearners }
  return JSON.parse(JSON.stringify(answers))
}
