import { expect, it } from 'vitest'
import { z } from 'zod'
import { plainIssue } from './plain-issue.ts'

const body = z.object({
  ids: z.array(z.string()),
  rows: z.array(z.object({ amount: z.number().optional() })).optional(),
  kind: z.enum(['message', 'program']).default('message'),
  reason: z.string('Please enter a reason').default('none'),
})
const messagesOf = (input: unknown) =>
  body.safeParse(input, { error: plainIssue }).error?.issues.map(({ message }) => message)

it.each([
  [{}, ['ids is required']],
  [{ ids: 'x' }, ['ids must be a list']],
  [{ ids: [1] }, ['ids.0 must be text']],
  [{ ids: [], rows: [{ amount: 'x' }] }, ['rows.0.amount must be a number']],
  [{ ids: [], rows: [null] }, ['rows.0 must be an object']],
  [{ ids: [], kind: 'letter' }, ['kind must be message or program']],
  [[], ['The request must be an object']],
  [undefined, ['The request is required']],
  // A schema's own message comes first.
  [{ ids: [], reason: 5 }, ['Please enter a reason']],
])('says in plain words what is wrong with %j', (input, messages) => {
  expect(messagesOf(input)).toEqual(messages)
})
