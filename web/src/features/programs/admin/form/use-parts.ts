import type { factBody, Program, toolBody } from '@portal/contracts/catalog/program'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { attemptFor, randomKey, type Attempt } from '../../../../lib/attempt.ts'
import type { Answer } from '../../../../lib/http.ts'
import { deleteFact, deleteTool, postFact, postTool } from '../api.ts'
import { failureNotice, type Notice } from './failure-notice.ts'
import { temporaryId, type FactPart, type Parts, type ToolPart } from './program-values.ts'

export type NewTool = z.output<typeof toolBody>
export type NewFact = z.output<typeof factBody>

/** The tools and facts of the form, and what is done to them. Each answers whether it was done. */
export type EditableParts = Parts & {
  readonly addTool: (tool: NewTool) => Promise<boolean>
  readonly removeTool: (id: string) => Promise<boolean>
  readonly addFact: (fact: NewFact) => Promise<boolean>
  readonly removeFact: (id: string) => Promise<boolean>
}

/** Of a programme that is being created: kept here until it is saved. */
export const useNewParts = (): EditableParts => {
  const [toolkit, setToolkit] = useState<readonly ToolPart[]>([])
  const [facts, setFacts] = useState<readonly FactPart[]>([])
  return {
    toolkit,
    facts,
    addTool: async (tool) => {
      setToolkit((known) => [...known, { ...tool, _id: temporaryId(Date.now(), known) }])
      return true
    },
    removeTool: async (id) => {
      setToolkit((known) => known.filter(({ _id }) => _id !== id))
      return true
    },
    addFact: async (fact) => {
      setFacts((known) => [...known, { ...fact, _id: temporaryId(Date.now(), known) }])
      return true
    },
    removeFact: async (id) => {
      setFacts((known) => known.filter(({ _id }) => _id !== id))
      return true
    },
  }
}

type Words = { readonly done: string; readonly failed: string }

const words = {
  addTool: { done: 'Tool added successfully', failed: 'Failed to add tool' },
  removeTool: { done: 'Tool removed successfully', failed: 'Failed to remove tool' },
  addFact: { done: 'Fact added successfully', failed: 'Failed to add fact' },
  removeFact: { done: 'Fact removed successfully', failed: 'Failed to remove fact' },
} as const satisfies Record<string, Words>

/** The key of what is being added. Once that is done, the same again is another wish. */
const useAdditionKey = () => {
  const attempt = useRef<Attempt>(undefined)
  return {
    keyOf: (body: unknown): string => (attempt.current = attemptFor(attempt.current, body, randomKey)).key,
    done: () => {
      attempt.current = undefined
    },
  }
}

/**
 * Of a programme that exists: the server has each change at once, and says what there is after it. Whichever came last counts, that
 * answer or what another admin did: a save takes all parts along, and would undo what this form does not know of.
 */
export const useSavedParts = (program: Program, tell: (notice: Notice | null) => void): EditableParts => {
  const [known, setKnown] = useState(program)
  const [{ toolkit, facts }, setParts] = useState<Parts>(program)
  if (known !== program) {
    setKnown(program)
    setParts(program)
  }

  const change = async <T>(asked: Promise<Answer<{ data: T }>>, { done, failed }: Words, take: (data: T) => void) => {
    tell(null)
    const answer = await asked
    if (answer.success) take(answer.data.data)
    tell(answer.success ? { kind: 'done', text: done } : failureNotice(answer, failed))
    return answer.success
  }
  const [toolKey, factKey] = [useAdditionKey(), useAdditionKey()]
  const takeTools = (data: Pick<Parts, 'toolkit'>) => setParts(({ facts: kept }) => ({ ...data, facts: kept }))
  const takeFacts = (data: Pick<Parts, 'facts'>) => setParts(({ toolkit: kept }) => ({ ...data, toolkit: kept }))

  return {
    toolkit,
    facts,
    addTool: (tool) =>
      change(postTool(program._id, tool, toolKey.keyOf(tool)), words.addTool, (data) => {
        toolKey.done()
        takeTools(data)
      }),
    removeTool: (id) => change(deleteTool(program._id, id), words.removeTool, takeTools),
    addFact: (fact) =>
      change(postFact(program._id, fact, factKey.keyOf(fact)), words.addFact, (data) => {
        factKey.done()
        takeFacts(data)
      }),
    removeFact: (id) => change(deleteFact(program._id, id), words.removeFact, takeFacts),
  }
}
