import { afterEach, beforeEach, expect, it } from 'vitest'
import { readDraft, writeDraft } from '../../lib/drafts.ts'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { z } from 'zod'
import { emptyRule } from './audience/rule.ts'
import { newDraft } from './draft.ts'
import { keepSendDraft, keptSendDraft, sendDraftKey } from './kept-draft.ts'
import { userId } from './testing/fake-audience.ts'

const owner = userId(900)

beforeEach(() => {
  localStorage.clear()
  startSession({ user: aUser({ _id: owner, role: 'admin' }), token: 'token-1' })
})
afterEach(() => endSession('logged-out'))

const draft = { ...newDraft, rule: { ...emptyRule, roles: ['student' as const], semesters: [2], installmentsDue: [1] } }

it('a draft is kept with its semesters and installments', () => {
  keepSendDraft(owner, draft)
  expect(keptSendDraft(owner)).toEqual(draft)
})

it('a draft of an earlier release, which knows neither, is read', () => {
  keepSendDraft(owner, draft)
  const stored = readDraft(sendDraftKey(owner), z.looseObject({ rule: z.looseObject({}) }))
  const { semesters: _, installmentsDue: __, ...rule } = stored?.rule ?? {}
  writeDraft(sendDraftKey(owner), { ...stored, rule })
  expect(keptSendDraft(owner)?.rule).toEqual({ ...emptyRule, roles: ['student'] })
})
