import { revisionOf, type factBody, type Program, type toolBody } from '@portal/contracts/catalog/program'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { keyedRequest, randomKey, type KeyedRequest } from '../../../../lib/idempotency-key.ts'
import type { Answer } from '../../../../lib/http.ts'
import { deleteFact, deleteTool, postFact, postTool } from '../api.ts'
import { failureNotice, type Notice } from './form-footer.tsx'
import { temporaryId, type FactPart, type Parts, type ToolPart } from './program-values.ts'

export type NewTool = z.output<typeof toolBody>
export type NewFact = z.output<typeof factBody>

/** The tools and facts of the form with their actions, which resolve to whether they succeeded. */
export type EditableParts = Parts & {
  readonly addTool: (tool: NewTool) => Promise<boolean>
  readonly removeTool: (id: string) => Promise<boolean>
  readonly addFact: (fact: NewFact) => Promise<boolean>
  readonly removeFact: (id: string) => Promise<boolean>
}

/** The tools and facts of a new program: local state until the program is saved. */
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

type ResultTexts = { readonly done: string; readonly failed: string }

const resultTexts = {
  addTool: { done: 'Tool added successfully', failed: 'Failed to add tool' },
  removeTool: { done: 'Tool removed successfully', failed: 'Failed to remove tool' },
  addFact: { done: 'Fact added successfully', failed: 'Failed to add fact' },
  removeFact: { done: 'Fact removed successfully', failed: 'Failed to remove fact' },
} as const satisfies Record<string, ResultTexts>

/** The idempotency key of an addition. After it has succeeded, the same body is a new addition. */
const useAdditionKey = () => {
  const attempt = useRef<KeyedRequest>(undefined)
  return {
    keyOf: (body: unknown): string => (attempt.current = keyedRequest(attempt.current, body, randomKey)).key,
    done: () => {
      attempt.current = undefined
    },
  }
}

type SavedParts = Parts & {
  /** The last revision of the program up to which this form has seen every change. */
  readonly revision: number
}

const partsOf = (program: Program): SavedParts => ({
  toolkit: program.toolkit,
  facts: program.facts,
  revision: revisionOf(program),
})

type AnsweredParts = Partial<Parts> & Pick<Program, 'revision'>

/** A response holds only the tools and facts: if another admin saved in between, this form has not seen their change. */
const withAnswer = (seen: SavedParts, { revision = 0, ...parts }: AnsweredParts): SavedParts => ({
  ...seen,
  ...parts,
  revision: revision === seen.revision + 1 ? revision : seen.revision,
})

/**
 * The tools and facts of an existing program: each change is sent at once, and its response holds the result. The latest of
 * that response and of other admins' saves wins, because a save sends all tools and facts and must not undo what this form has
 * not seen.
 */
export const useSavedParts = (
  program: Program,
  showNotice: (notice: Notice | null) => void,
): EditableParts & SavedParts => {
  const [known, setKnown] = useState(program)
  const [parts, setParts] = useState(() => partsOf(program))
  if (known !== program) {
    setKnown(program)
    setParts(partsOf(program))
  }

  const change = async (request: Promise<Answer<{ data: AnsweredParts }>>, { done, failed }: ResultTexts) => {
    showNotice(null)
    const answer = await request
    if (answer.success) setParts((seen) => withAnswer(seen, answer.data.data))
    showNotice(answer.success ? { kind: 'done', text: done } : failureNotice(answer, failed))
    return answer.success
  }
  const [toolKey, factKey] = [useAdditionKey(), useAdditionKey()]

  return {
    ...parts,
    addTool: async (tool) => {
      const isAdded = await change(postTool(program._id, tool, toolKey.keyOf(tool)), resultTexts.addTool)
      if (isAdded) toolKey.done()
      return isAdded
    },
    removeTool: (id) => change(deleteTool(program._id, id), resultTexts.removeTool),
    addFact: async (fact) => {
      const isAdded = await change(postFact(program._id, fact, factKey.keyOf(fact)), resultTexts.addFact)
      if (isAdded) factKey.done()
      return isAdded
    },
    removeFact: (id) => change(deleteFact(program._id, id), resultTexts.removeFact),
  }
}
