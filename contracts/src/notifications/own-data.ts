import { z } from 'zod'
import { defineRoute, routeError } from '../shared/route.ts'

/** Download of one's own data. A module of its own, because only profiles need it. */

export const ownDataFileName = 'my-data.json'

/** `wait` is a duration in words, such as '8 hours'. */
export const tooManyOwnDataDownloads = (wait: string) =>
  routeError('too-many-requests', `Too many downloads of your data. Please try again in ${wait}.`)

export const downloadOwnData = defineRoute({
  method: 'GET',
  path: '/user/export',
  access: 'signed-in',
  summary: "The caller's data as a JSON file for people to read. At most three times a day",
  contentType: 'application/json; charset=utf-8',
  response: z.string(),
  errors: [tooManyOwnDataDownloads('8 hours')],
})
